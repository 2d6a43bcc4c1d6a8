# shellcheck shell=bash
# The private RabbitMQ of a stack: a node name, cookie, data and port mapper of its own, so that a
# broker already on the machine is neither disturbed nor joined.

rabbitmq_data=$run_dir/rabbitmq
# Debian's wrappers in /usr/sbin insist on root; these are the same programs without that.
rabbitmq_bin=/usr/lib/rabbitmq/bin

in_rabbitmq() {
  env HOME="$rabbitmq_data" \
    RABBITMQ_CONF_ENV_FILE=/dev/null \
    RABBITMQ_CONFIG_FILE="$rabbitmq_data/rabbitmq.conf" \
    RABBITMQ_ENABLED_PLUGINS_FILE="$rabbitmq_data/enabled_plugins" \
    RABBITMQ_NODENAME="orderahead_$STACK@localhost" \
    RABBITMQ_NODE_IP_ADDRESS=127.0.0.1 \
    RABBITMQ_NODE_PORT="$rabbitmq_port" \
    RABBITMQ_DIST_PORT="$rabbitmq_dist_port" \
    RABBITMQ_MNESIA_BASE="$rabbitmq_data/mnesia" \
    RABBITMQ_LOG_BASE="$log_dir" \
    RABBITMQ_LOGS="$log_dir/rabbitmq.log" \
    RABBITMQ_PID_FILE="$rabbitmq_data/pid" \
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='-kernel inet_dist_use_interface {127,0,0,1}' \
    ERL_EPMD_PORT="$epmd_port" ERL_EPMD_ADDRESS=127.0.0.1 \
    "$@"
}

rabbitmq_up() {
  [[ -f $rabbitmq_data/pid ]] && kill -0 "$(<"$rabbitmq_data/pid")" 2>/dev/null && listening "$rabbitmq_port"
}

rabbitmq_start() {
  mkdir -p "$rabbitmq_data"
  rm -f "$rabbitmq_data/pid"
  echo '[].' >"$rabbitmq_data/enabled_plugins"
  # A laptop's full disk or memory should not silence the broker of a development stack.
  printf '%s\n' 'disk_free_limit.absolute = 50MB' 'vm_memory_high_watermark.absolute = 1GB' \
    >"$rabbitmq_data/rabbitmq.conf"
  in_rabbitmq setsid "$rabbitmq_bin/rabbitmq-server" </dev/null >>"$log_dir/rabbitmq.log" 2>&1 &
  within 60 rabbitmq_up
}

rabbitmq_stop() {
  local pid
  pid=$(<"$rabbitmq_data/pid")
  kill -TERM "$pid"
  within 30 rabbitmq_gone "$pid" || kill -KILL "$pid"
  # The port mapper outlives its node; it leaves only when nobody is registered.
  in_rabbitmq epmd -kill >/dev/null 2>&1 || true
}

rabbitmq_gone() { ! kill -0 "$1" 2>/dev/null; }

rabbitmq_wipe() { rm -rf "$rabbitmq_data"; }
