# shellcheck shell=bash disable=SC2034
# Folders, ports and addresses of a stack. Four stacks can run side by side: `dev` (make run, data
# kept), `test` (make test, data deleted), `load` (make load) and `chaos` (backing services that the chaos
# test kills). Set STACK before sourcing this.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
export STACK=${STACK:-dev}
case $STACK in
  dev) run_dir=$root/.run base=7100 redis_number=0 amqp_vhost=%2f ;;
  # The integration tests share these servers, so the running stack uses its own Redis database and vhost.
  test) run_dir=$root/.run/test base=7200 redis_number=1 amqp_vhost=stack ;;
  load) run_dir=$root/.run/load base=7300 redis_number=0 amqp_vhost=stack ;;
  chaos) run_dir=$root/.run/chaos base=7400 redis_number=0 amqp_vhost=%2f ;;
  *) echo "unknown stack '$STACK': use dev, test, load or chaos" >&2 && exit 2 ;;
esac
log_dir=$run_dir/logs
honcho_venv=$root/.run/honcho
honcho=$honcho_venv/bin/honcho

postgres_port=$((base + 32))
redis_port=$((base + 79))
rabbitmq_port=$((base + 72))
rabbitmq_dist_port=$((base + 73))
epmd_port=$((base + 74))
postgres_url=postgres://orderahead@127.0.0.1:$postgres_port

databases=(accounts stores ordering payments gift_cards rewards)
