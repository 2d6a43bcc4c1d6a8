# shellcheck shell=bash
# How the development scripts speak: a step, a remark, and one clear sentence before giving up.

if [[ -t 1 ]]; then
  bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' green=$'\e[32m' plain=$'\e[0m'
else
  bold='' dim='' red='' green='' plain=''
fi
export bold dim red green plain

step() { printf '%s==>%s %s\n' "$bold" "$plain" "$*"; }
remark() { printf '    %s%s%s\n' "$dim" "$*" "$plain"; }
give_up() {
  printf '%s%s%s\n' "$red" "$*" "$plain" >&2
  exit 1
}

# Whether something answers on a port of this machine.
listening() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Waits until "$@" succeeds, at most $1 seconds.
within() {
  local seconds=$1 end
  shift
  end=$((SECONDS + seconds))
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.2
  done
}

# Refuses to start while the same script runs in this clone. Needs run_dir, see stack.sh.
only_one() {
  local pid_file=$run_dir/$1.pid pid
  mkdir -p "$run_dir" 2>/dev/null && [[ -w $run_dir ]] ||
    give_up "$run_dir cannot be written by $(id -un): an earlier run as another user made it; delete it as that user."
  pid=$(cat "$pid_file" 2>/dev/null || true)
  if [[ -n $pid && $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") == *"deploy/dev/$1"* ]]; then
    give_up "make $1 runs in this clone already (its number is $pid): let it end, or end it, first."
  fi
  echo $$ >"$pid_file"
}
