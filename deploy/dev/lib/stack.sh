# shellcheck shell=bash disable=SC2034
# Where everything of a stack is: folders, ports, addresses. Three stacks live side by side:
# `dev` (make run, data kept), `test` (make test, data thrown away) and `load` (make load).
# Sourced with STACK set.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export STACK=${STACK:-dev}
case $STACK in
  dev) run_dir=$root/.run base=7100 redis_number=0 amqp_vhost=%2f ;;
  # The integration tests share these engines: the running stack keeps to a corner of its own.
  test) run_dir=$root/.run/test base=7200 redis_number=1 amqp_vhost=stack ;;
  load) run_dir=$root/.run/load base=7300 redis_number=0 amqp_vhost=stack ;;
  *) echo "there is no stack '$STACK', only dev, test and load" >&2 && exit 2 ;;
esac
log_dir=$run_dir/logs

postgres_port=$((base + 32))
redis_port=$((base + 79))
rabbitmq_port=$((base + 72))
rabbitmq_dist_port=$((base + 73))
epmd_port=$((base + 74))
postgres_url=postgres://orderahead@127.0.0.1:$postgres_port

databases=(accounts stores ordering payments gift_cards rewards)
# The programs of a running stack, in the order of the Procfile.
programs=(accounts stores ordering payments gift-cards rewards gateway card-sandbox barista)
