# shellcheck shell=bash
# Settings and functions of the backup scripts. BACKUP_DATABASE_URL names the server, with a role that may replicate; BACKUP_DIR is
# the folder of the backups: base/<time of the end>/ and wal/.

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

require_settings() {
  local name
  for name in "$@"; do [[ -n ${!name:-} ]] || fail "$name is not set."; done
}

# Debian keeps the server's programs out of PATH.
newest=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
if [[ -d $newest ]]; then PATH=$PATH:$newest; fi

# The files belong to the user that runs PostgreSQL, because a restore reads them, and PostgreSQL does not run as root.
run_as=()
if ((EUID == 0)); then run_as=(setpriv --reuid postgres --regid postgres --init-groups); fi

# Creates a folder of the backups for that user.
create_folder() {
  mkdir -p "$1"
  if ((EUID == 0)); then chown postgres: "$BACKUP_DIR" "$1"; fi
}

# Runs a command of the replication protocol and prints its result.
replication_command() {
  local separator='?'
  case $BACKUP_DATABASE_URL in
    *://*\?*) separator='&' ;;
    *://*) ;;
    *) separator=' ' ;;
  esac
  psql "$BACKUP_DATABASE_URL${separator}replication=true" -XqAtc "$1"
}
