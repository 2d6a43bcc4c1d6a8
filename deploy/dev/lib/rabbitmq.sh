# shellcheck shell=bash
# The private RabbitMQ of a stack. It has its own node name, cookie, data and port mapper (epmd), so that
# it neither disturbs nor joins a broker of the machine.

rabbitmq_data=$run_dir/rabbitmq
# Debian's wrappers in /usr/sbin require root; these are the same programs without that check.
rabbitmq_bin=/usr/lib/rabbitmq/bin
# Without it, idle schedulers of the broker use CPU that the services on the same machine need.
no_busy_wait='+sbwt none +sbwtdcpu none +sbwtdio none'

with_rabbitmq_environment() {
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
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="-kernel inet_dist_use_interface {127,0,0,1} $no_busy_wait" \
    ERL_EPMD_PORT="$epmd_port" ERL_EPMD_ADDRESS=127.0.0.1 \
    "$@"
}

rabbitmq_is_running() { [[ -n $(rabbitmq_pids) ]] && port_in_use "$rabbitmq_port"; }

rabbitmq_start() {
  mkdir -p "$rabbitmq_data"
  rm -f "$rabbitmq_data/pid"
  echo '[].' >"$rabbitmq_data/enabled_plugins"
  # Low limits: a nearly full disk or memory must not block publishers on a developer's machine.
  printf '%s\n' 'disk_free_limit.absolute = 50MB' 'vm_memory_high_watermark.absolute = 1GB' \
    >"$rabbitmq_data/rabbitmq.conf"
  with_rabbitmq_environment setsid "$rabbitmq_bin/rabbitmq-server" </dev/null >>"$log_dir/rabbitmq.log" 2>&1 &
  wait_until 60 rabbitmq_is_running
}

rabbitmq_stop() {
  local pid
  pid=$(rabbitmq_pids)
  kill -TERM "$pid"
  wait_until 30 rabbitmq_has_exited "$pid" || kill -KILL "$pid"
  # epmd keeps running after its node exits. This call does nothing while another node is registered.
  with_rabbitmq_environment epmd -kill >/dev/null 2>&1 || true
}

rabbitmq_has_exited() { ! kill -0 "$1" 2>/dev/null; }

rabbitmq_wipe() { rm -rf "$rabbitmq_data"; }

rabbitmq_pids() { pid_in_file "$rabbitmq_data/pid" "$rabbitmq_data"; }
