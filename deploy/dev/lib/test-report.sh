# shellcheck shell=bash
# Runs the steps of `make test`, counts the tests of each step, and prints a summary. A step passes only
# if its command succeeds, one or more tests ran, and none was skipped.

# The names of the failed tests, each below the name of its step.
failures=$(mktemp)
# One line for each finished step: NAME, PASSED, FAILED and SECONDS, separated by tabs. A file, because steps also run in
# background shells.
results=$(mktemp)

# Prints the numbers of passed, failed and skipped tests, read from the output of a test runner.
count_results() {
  local runner=$1 log=$2
  case $runner in
    cargo) awk '/^test result:/ { p += $4; f += $6; s += $8 } END { print p + 0, f + 0, s + 0 }' "$log" ;;
    vitest) awk '$1 == "Tests" { for (i = 2; i < NF; i++) n[$(i + 1)] += $i }
        END { print n["passed"] + 0, n["failed"] + 0, n["skipped"] + n["todo"] + 0 }' "$log" ;;
    playwright) awk '$1 ~ /^[0-9]+$/ && NF <= 4 { n[$2] += $1 }
        END { print n["passed"] + 0, n["failed"] + n["flaky"] + 0, n["skipped"] + n["did"] + 0 }' "$log" ;;
    # No test runner: the exit status counts as one test.
    none) echo '1 0 0' ;;
  esac
}

# Prints the names of the failed tests of a step, read from the output of its test runner. A runner can also fail without
# a failed test, for example if a compiler or a worker process fails: then prints the last lines with an error.
failed_tests() {
  local runner=$1 log=$2 names
  names=$(case $runner in
    # With the first lines of each error.
    cargo) awk '/^test .* FAILED$/ { print $2 } /^---- .* stdout ----$/ { lines = 6 } lines-- > 0 && NF' "$log" ;;
    vitest) awk '$1 == "FAIL" { lines = 12 } lines-- > 0 && NF' "$log" ;;
    playwright) awk '$1 ~ /^[0-9]+\)$/ { lines = 12 } lines-- > 0 && NF' "$log" ;;
  esac)
  if [[ -n $names ]]; then echo "$names"; else grep -i 'error\|timeout' "$log" | tail -n 8 || true; fi
}

# Shows progress of a long step: its last line on a terminal, one line per minute elsewhere.
show_progress() {
  local log=$1 began=$SECONDS minutes=0
  # Ends with the script, even if the script is killed.
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    if [[ -t 1 ]]; then
      printf '\r\e[K    %s%4ds  %s%s' "$dim" $((SECONDS - began)) "$(tail -n 1 "$log" | tr -cd '[:print:]' | cut -c1-90)" "$plain"
    elif (((SECONDS - began) / 60 > minutes)); then
      log_note "$((++minutes)) min"
    fi
  done
}

# run_step RUNNER "NAME" COMMAND...
run_step() {
  local runner=$1 name=$2 log status=0 began=$SECONDS progress_pid passed failed skipped
  shift 2
  log=$log_dir/${name// /-}.log
  log_step "$name"
  : >"$log"
  show_progress "$log" &
  progress_pid=$!
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill "$progress_pid" 2>/dev/null || true
  wait "$progress_pid" 2>/dev/null || true
  if [[ -t 1 ]]; then printf '\r\e[K'; fi
  read -r passed failed skipped < <(sed 's/\x1b\[[0-9;]*m//g' "$log" | count_results "$runner" /dev/stdin)
  if ((status != 0)); then
    if [[ $runner == none ]]; then passed=0; fi
    if ((failed == 0)); then failed=1; fi
  fi
  # A runner that ran no tests has failed, and so has one that skipped any.
  if ((passed + failed == 0)); then failed=1; fi
  failed=$((failed + skipped))
  record_step "$name" "$passed" "$failed" $((SECONDS - began))
  if ((failed > 0)); then
    printf '%s    failed%s%s; the end of %s:\n' "$red" "$plain" \
      "$( ((skipped == 0)) || echo " ($skipped skipped, which counts as failed)")" "${log#"$root"/}"
    tail -n 40 "$log" | sed 's/^/    | /'
    sed 's/\x1b\[[0-9;]*m//g' "$log" >"$log.plain"
    failed_tests "$runner" "$log.plain" | sed "s/^/$name: /" >>"$failures"
    rm "$log.plain"
    return 1
  fi
}

record_step() { printf '%s\t%d\t%d\t%d\n' "$@" >>"$results"; }

# skip_step "NAME" "PREREQUISITE": a step that cannot run because its prerequisite failed counts as failed.
skip_step() {
  log_step "$1"
  log_note "not run, because $2 failed"
  record_step "$1" 0 1 0
}

# run_lane NAME COMMAND...: runs steps in the background. wait_for_lane prints their output.
run_lane() {
  local name=$1
  shift
  "$@" >"$log_dir/lane-$name.log" 2>&1 </dev/null &
  lane_pid=$!
}

# Returns the exit status of the lane that was started last.
wait_for_lane() {
  local status=0
  wait "$lane_pid" || status=$?
  lane_pid=
  cat "$log_dir/lane-$1.log"
  return "$status"
}

print_summary() {
  printf '\n%s%-26s %6s %6s %8s%s\n' "$bold" step passed failed time "$plain"
  awk -F '\t' '{ printf "%-26s %6d %6d %5dm%02ds\n", $1, $2, $3, $4 / 60, $4 % 60 }' "$results"
  awk -F '\t' '$3 > 0 { if (!failed++) print "\nFailed:"; print "  " $1 }' "$results"
  if [[ -s $failures ]]; then
    printf '\nFailed tests:\n'
    sed 's/^/  /' "$failures"
  fi
  # The closing line; its exit status is that of the whole run.
  awk -F '\t' '{ p += $2; f += $3 } END { printf "\n%d passed, %d failed\n", p, f; exit f > 0 }' "$results"
}
