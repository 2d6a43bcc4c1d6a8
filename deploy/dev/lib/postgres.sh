# shellcheck shell=bash
# The private PostgreSQL of a stack. PostgreSQL does not run as root, so root runs it as `postgres`.

postgres_data=$run_dir/postgres
# Existing data needs the version that created it; new data uses the newest installed version.
if [[ -s $postgres_data/PG_VERSION ]]; then
  postgres_bin=/usr/lib/postgresql/$(<"$postgres_data/PG_VERSION")/bin
else
  postgres_bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
fi

as_postgres() {
  # Changes to / because the user `postgres` may not have access to the working directory.
  if ((EUID == 0)); then (cd / && setpriv --reuid postgres --regid postgres --init-groups "$@"); else "$@"; fi
}

postgres_is_running() {
  as_postgres "$postgres_bin/pg_ctl" status -D "$(readlink -f "$postgres_data")" >/dev/null 2>&1
}

postgres_start() {
  if [[ ! -e $postgres_data/PG_VERSION ]]; then postgres_init; fi
  local log=$log_dir/postgres.log more=
  : >>"$log"
  # Counts the statements of an order. The references run on the same server.
  if [[ $STACK == load ]]; then more='-c shared_preload_libraries=pg_stat_statements -c pg_stat_statements.track_utility=off'; fi
  if ((EUID == 0)); then chown postgres: "$log"; fi
  # This shell opens the log because the user `postgres` may not have access to its path.
  as_postgres setsid "$postgres_bin/pg_ctl" start -w -t 60 -s -D "$(readlink -f "$postgres_data")" \
    -o "-c config_file=$(readlink -f "$postgres_data")/postgresql.conf $more" >>"$log" 2>&1 </dev/null
}

postgres_init() {
  rm -rf "$(readlink -f "$postgres_data")" "$postgres_data"
  mkdir -p "$postgres_data"
  if ((EUID == 0)) && ! as_postgres test -x "$postgres_data"; then
    # The clone is in a folder that only root can enter (/root), so the data goes outside of it.
    local outside
    outside=/var/lib/orderahead/$(printf %s "$run_dir" | cksum | cut -d' ' -f1)
    rm -rf "$postgres_data" "$outside"
    mkdir -p "$outside"
    ln -s "$outside" "$postgres_data"
    log_note "The user 'postgres' has no access to this folder. PostgreSQL's data is in $outside."
  fi
  local data
  data=$(readlink -f "$postgres_data")
  if ((EUID == 0)); then chown postgres: "$data"; fi
  as_postgres "$postgres_bin/initdb" -D "$data" -U orderahead --auth=trust --encoding=UTF8 --locale=C.UTF-8 \
    >>"$log_dir/postgres.log" 2>&1
  postgres_settings >>"$data/postgresql.conf"
}

postgres_settings() {
  cat <<CONF

# Written by deploy/dev/lib/postgres.sh
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
port = $postgres_port
max_connections = 300
shared_buffers = 256MB
timezone = 'UTC'
log_min_duration_statement = 500
CONF
  # Test data is disposable, so it does not need to survive a crash of the machine.
  if [[ $STACK == test ]]; then printf '%s = off\n' fsync synchronous_commit full_page_writes; fi
  # A commit has to survive SIGKILL of the server, so synchronous_commit stays on.
  if [[ $STACK == chaos ]]; then printf '%s = off\n' fsync full_page_writes; fi
}

# The server and its children, which have their own process groups.
postgres_pids() {
  local server
  server=$(head -n 1 "$postgres_data/postmaster.pid" 2>/dev/null) || return 0
  if [[ $(readlink "/proc/$server/exe") == */postgres ]]; then
    echo "$server"
    pgrep -P "$server" || true
  fi
}

postgres_stop() { as_postgres "$postgres_bin/pg_ctl" stop -s -m fast -D "$(readlink -f "$postgres_data")"; }

postgres_wipe() { rm -rf "$(readlink -f "$postgres_data")" "$postgres_data"; }
