# shellcheck shell=bash
# The private Redis of a stack.

redis_data=$run_dir/redis

redis_up() { [[ $(redis-cli -p "$redis_port" config get dir 2>/dev/null | tail -1) == "$redis_data" ]]; }

redis_start() {
  mkdir -p "$redis_data"
  setsid redis-server --port "$redis_port" --bind 127.0.0.1 --daemonize yes --dir "$redis_data" \
    --pidfile "$redis_data/redis.pid" --logfile "$log_dir/redis.log" --appendonly no --save 300 1 >/dev/null
  within 10 redis_up
}

redis_stop() {
  # Its own answer is lost as it goes down; gone is what counts.
  redis-cli -p "$redis_port" shutdown >/dev/null 2>&1 || true
  within 10 redis_gone
}

redis_gone() { ! listening "$redis_port"; }

redis_wipe() { rm -rf "$redis_data"; }
