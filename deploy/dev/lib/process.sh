# shellcheck shell=bash
# Ports, waiting, locks, and the processes of the Procfile. Sourced after log.sh and stack.sh.

# Returns whether a program listens on a port of this machine.
port_in_use() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# wait_until SECONDS COMMAND...: repeats the command until it succeeds; fails after that many seconds.
wait_until() {
  local seconds=$1 end
  shift
  end=$((SECONDS + seconds))
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.2
  done
}

# require_single_instance SCRIPT [OTHER...]: fails if the script, or another one of the same stack, already runs in this clone; otherwise
# records this process as the running one.
require_single_instance() {
  local script pid
  mkdir -p "$run_dir" 2>/dev/null && [[ -w $run_dir ]] ||
    fail "$(id -un) cannot write to $run_dir. Another user created it; delete it as that user."
  for script in "$@"; do
    pid=$(pid_in_file "$run_dir/$script.pid" "deploy/dev/$script")
    [[ -z $pid ]] || fail "make $script already runs in this clone (process $pid). Stop it or wait for it to end."
  done
  echo $$ >"$run_dir/$1.pid"
}

# Prints the process id in a file if the command line of that process contains a text. The file of a killed process remains, and another
# process may get its id.
pid_in_file() {
  local pid
  pid=$(cat "$1" 2>/dev/null) || return 0
  if [[ $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") == *"$2"* ]]; then echo "$pid"; fi
}

# Prints the Procfile with a line for each replica of the services and of the gateway.
replicated_procfile() {
  local replica
  cat "$root/Procfile"
  for ((replica = 2; replica <= REPLICAS; replica++)); do
    sed -nE '/^card-sandbox:/d; s/^([a-z-]+): LISTEN=\$([A-Z_]+) /\1-'"$replica"': LISTEN=$\2_'"$replica"' /p' "$root/Procfile"
  done
}

# Runs the processes of the Procfile, or only those that PROCESSES names, in the foreground with the
# environment of the caller. Never returns: call it in a subshell or in the background.
run_procfile() {
  local selected replica name
  read -ra selected <<<"${PROCESSES:-}"
  replicated_procfile >"$run_dir/Procfile"
  for name in "${selected[@]}"; do
    for ((replica = 2; replica <= REPLICAS; replica++)); do
      if grep -q "^$name-$replica:" "$run_dir/Procfile"; then selected+=("$name-$replica"); fi
    done
  done
  echo "$BASHPID" >"$run_dir/honcho.pid"
  # -e: the environment comes from environment.sh only, not from a stray .env file.
  exec "$honcho" -e /dev/null -d "$root" -f "$run_dir/Procfile" start "${selected[@]}"
}
