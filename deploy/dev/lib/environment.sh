# shellcheck shell=bash
# What the processes of a stack are told. For `dev` a value already in the environment wins, so that
# DATABASE_URLs, REDIS_URL or AMQP_URL can name other servers; the other stacks always use their own.
# Sourced after stack.sh.

tell() {
  if [[ $STACK == dev && -n ${!1:-} ]]; then return; fi
  export "$1=$2"
}

for database in "${databases[@]}"; do tell "${database^^}_DATABASE_URL" "$postgres_url/$database"; done
tell REDIS_URL "redis://127.0.0.1:$redis_port/$redis_number"
tell AMQP_URL "amqp://127.0.0.1:$rabbitmq_port/$amqp_vhost"

# Where each process listens, and where its clients find it.
for service in accounts:1 stores:2 ordering:3 payments:4 gift_cards:5 rewards:6; do
  name=${service%:*} port=$((base + ${service#*:}))
  listen=${name^^}_LISTEN
  tell "$listen" "127.0.0.1:$port"
  tell "${name^^}_ADDRESS" "http://${!listen}"
done
tell GATEWAY_LISTEN "127.0.0.1:$((base - 20))"
tell GATEWAY_ADDRESS "http://$GATEWAY_LISTEN"
# The first is where the app is said to be.
tell PUBLIC_ORIGIN "http://$GATEWAY_LISTEN,http://localhost:${GATEWAY_LISTEN##*:}"
tell WEB_DIST "$root/frontend/dist"
tell SANDBOX_LISTEN "127.0.0.1:$((base + 90))"
tell PROVIDER_URL "http://$SANDBOX_LISTEN"
tell PROVIDER_SCRIPT_URL "http://$SANDBOX_LISTEN/v1/js/"
tell PROVIDER_WEBHOOK_URL "http://$GATEWAY_LISTEN/webhooks/payments"
tell SMS_FILE "$run_dir/sms.jsonl"
tell CARD_SANDBOX_DATA "$run_dir/card-sandbox"
tell LOG_FORMAT pretty
# Whoever develops or tests signs in as one person again and again.
tell SIGN_IN_CODES_AN_HOUR 1000
# Tests and load all come from one address.
if [[ $STACK != dev ]]; then
  tell SIGN_IN_LIMIT_PER_ADDRESS 100000
  tell SIGN_IN_LIMIT_IN_ALL 100000
fi
# A person watches an order being made; a test only waits for it.
if [[ $STACK != dev ]]; then
  tell BARISTA_ACCEPT_SECONDS 1
  tell BARISTA_START_SECONDS 1
  tell BARISTA_MAKE_SECONDS 3
  tell BARISTA_PICKUP_SECONDS 3
fi
tell RUST_LOG info

# Made once for each machine and stack: nothing secret stands in the repository.
secrets=$run_dir/secrets.env
mkdir -p "$run_dir"
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
for secret in CALLER_SECRET= ACCOUNTS_SECRET= PROVIDER_SECRET_KEY=sk_test_ PROVIDER_PUBLISHABLE_KEY=pk_test_ \
  PROVIDER_WEBHOOK_SECRET=whsec_; do
  if ! grep -qs "^${secret%%=*}=" "$secrets"; then (umask 077 && echo "$secret$(random)" >>"$secrets"); fi
done
while IFS='=' read -r name value; do tell "$name" "$value"; done <"$secrets"
