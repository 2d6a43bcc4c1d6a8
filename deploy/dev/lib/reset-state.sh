# shellcheck shell=bash
# Deletes the state of earlier runs of a stack. Sourced after environment.sh and rabbitmq.sh.

reset_state() {
  local name
  for name in "${databases[@]}"; do
    psql -q "$postgres_url/postgres" -c "set client_min_messages = warning" -c "drop database if exists $name with (force)"
  done
  redis-cli -p "$redis_port" -n "$redis_number" flushdb >/dev/null
  with_rabbitmq_environment "$rabbitmq_bin/rabbitmqctl" -q delete_vhost "$amqp_vhost" >/dev/null 2>&1 || true
  with_rabbitmq_environment "$rabbitmq_bin/rabbitmqctl" -q add_vhost "$amqp_vhost"
  with_rabbitmq_environment "$rabbitmq_bin/rabbitmqctl" -q set_permissions -p "$amqp_vhost" guest '.*' '.*' '.*'
  rm -rf "$SMS_FILE" "$EMAIL_FILE" "$PUSH_FILE" "$PHOTO_FOLDER" "$CARD_SANDBOX_DATA"
}
