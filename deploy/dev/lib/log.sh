# shellcheck shell=bash
# Output of the development scripts: steps, notes and errors. Colors only on a terminal.

if [[ -t 1 ]]; then
  bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' green=$'\e[32m' plain=$'\e[0m'
else
  bold='' dim='' red='' green='' plain=''
fi
export bold dim red green plain

log_step() { printf '%s==>%s %s\n' "$bold" "$plain" "$*"; }
log_note() { printf '    %s%s%s\n' "$dim" "$*" "$plain"; }

# Prints an error and exits.
fail() {
  printf '%s%s%s\n' "$red" "$*" "$plain" >&2
  exit 1
}
