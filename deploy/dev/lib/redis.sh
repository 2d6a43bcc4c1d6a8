# shellcheck shell=bash
# The private Redis of a stack.

redis_data=$run_dir/redis

redis_is_running() { [[ $(redis-cli -p "$redis_port" config get dir 2>/dev/null | tail -1) == "$redis_data" ]]; }

redis_start() {
  mkdir -p "$redis_data"
  setsid redis-server --port "$redis_port" --bind 127.0.0.1 --daemonize yes --dir "$redis_data" \
    --pidfile "$redis_data/redis.pid" --logfile "$log_dir/redis.log" --appendonly no --save 300 1 >/dev/null
  wait_until 10 redis_is_running
}

redis_stop() {
  # The connection closes before a reply arrives, so success is checked by the port.
  redis-cli -p "$redis_port" shutdown >/dev/null 2>&1 || true
  wait_until 10 redis_port_is_free
}

redis_port_is_free() { ! port_in_use "$redis_port"; }

redis_wipe() { rm -rf "$redis_data"; }

redis_pids() { pid_in_file "$redis_data/redis.pid" "redis-server 127.0.0.1:$redis_port"; }
