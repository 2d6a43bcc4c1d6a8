# shellcheck shell=bash
# Runs the steps of `make test`, counts what each of them says it did, and sums up at the end.
# A step passes only if its command succeeds and nothing in it was skipped.

rows=() total_passed=0 total_failed=0 failing=()

# How many passed, failed and were skipped, from the words of each kind of test runner.
count() {
  local kind=$1 log=$2
  case $kind in
    rust) awk '/^test result:/ { p += $4; f += $6; s += $8 } END { print p + 0, f + 0, s + 0 }' "$log" ;;
    vitest) awk '$1 == "Tests" { for (i = 2; i < NF; i++) n[$(i + 1)] += $i }
        END { print n["passed"] + 0, n["failed"] + 0, n["skipped"] + n["todo"] + 0 }' "$log" ;;
    playwright) awk '$1 ~ /^[0-9]+$/ && NF <= 4 { n[$2] += $1 }
        END { print n["passed"] + 0, n["failed"] + n["flaky"] + 0, n["skipped"] + n["did"] + 0 }' "$log" ;;
    one) echo '1 0 0' ;;
  esac
}

# Shows that a long step is alive: its last line on a terminal, a line a minute elsewhere.
watch_log() {
  local log=$1 began=$SECONDS minutes=0
  # Not longer than the whole run, however that ends.
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    if [[ -t 1 ]]; then
      printf '\r\e[K    %s%4ds  %s%s' "$dim" $((SECONDS - began)) "$(tail -n 1 "$log" | tr -cd '[:print:]' | cut -c1-90)" "$plain"
    elif (((SECONDS - began) / 60 > minutes)); then
      remark "$((++minutes)) min"
    fi
  done
}

# check KIND "NAME" COMMAND...
check() {
  local kind=$1 name=$2 log status=0 began=$SECONDS watcher passed failed skipped
  shift 2
  log=$log_dir/${name// /-}.log
  step "$name"
  : >"$log"
  watch_log "$log" &
  watcher=$!
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true
  if [[ -t 1 ]]; then printf '\r\e[K'; fi
  read -r passed failed skipped < <(sed 's/\x1b\[[0-9;]*m//g' "$log" | count "$kind" /dev/stdin)
  if ((status != 0)); then
    if [[ $kind == one ]]; then passed=0; fi
    if ((failed == 0)); then failed=1; fi
  fi
  # A runner that ran nothing, or left something out, has not passed.
  if ((passed + failed == 0)); then failed=1; fi
  failed=$((failed + skipped))
  record "$name" "$passed" "$failed" $((SECONDS - began))
  if ((failed > 0)); then
    printf '%s    failed%s%s; the end of %s:\n' "$red" "$plain" \
      "$( ((skipped == 0)) || echo " ($skipped skipped, which counts as failed)")" "${log#"$root"/}"
    tail -n 40 "$log" | sed 's/^/    | /'
    return 1
  fi
}

record() {
  rows+=("$(printf '%-26s %6d %6d %5dm%02ds' "$1" "$2" "$3" $(($4 / 60)) $(($4 % 60)))")
  total_passed=$((total_passed + $2))
  total_failed=$((total_failed + $3))
  if (($3 > 0)); then failing+=("$1"); fi
}

# A step that cannot run because an earlier one failed is a failure too.
cannot() {
  step "$1"
  remark "not run: $2 failed"
  record "$1" 0 1 0
}

summary() {
  printf '\n%s%-26s %6s %6s %8s%s\n' "$bold" step passed failed time "$plain"
  printf '%s\n' "${rows[@]}"
  if ((${#failing[@]})); then printf '\nFailed:\n' && printf '  %s\n' "${failing[@]}"; fi
  printf '\n%d passed, %d failed\n' "$total_passed" "$total_failed"
  ((total_failed == 0))
}
