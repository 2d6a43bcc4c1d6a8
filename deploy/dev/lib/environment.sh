# shellcheck shell=bash
# Environment variables of the processes of a stack. In `dev`, a variable that is already set wins, so
# that *_DATABASE_URL, REDIS_URL or AMQP_URL can name other servers; the other stacks ignore it.
# Source it after stack.sh.

export_default() {
  if [[ $STACK == dev && -n ${!1:-} ]]; then return; fi
  export "$1=$2"
}

for database in "${databases[@]}"; do
  export_default "${database^^}_DATABASE_URL" "$postgres_url/$database"
done
export_default REDIS_URL "redis://127.0.0.1:$redis_port/$redis_number"
export_default AMQP_URL "amqp://127.0.0.1:$rabbitmq_port/$amqp_vhost"

# The listen address of each replica of a service, and the addresses that its clients use. There are ports
# for 3 replicas.
export REPLICAS=${REPLICAS:-1}
[[ $REPLICAS == [1-3] ]] || fail "REPLICAS is '$REPLICAS': expected 1, 2 or 3."
for service in accounts:1 stores:2 ordering:3 payments:4 gift_cards:5 rewards:6; do
  name=${service%:*} port=$((base + ${service#*:}))
  listen=${name^^}_LISTEN
  export_default "$listen" "127.0.0.1:$port"
  addresses=http://${!listen}
  for ((replica = 2; replica <= REPLICAS; replica++)); do
    export_default "${listen}_$replica" "127.0.0.1:$((port + 10 * (replica - 1)))"
    replica_listen=${listen}_$replica
    addresses+=,http://${!replica_listen}
  done
  export_default "${name^^}_ADDRESS" "$addresses"
done
export_default GATEWAY_LISTEN "127.0.0.1:$((base - 20))"
for ((replica = 2; replica <= REPLICAS; replica++)); do
  export_default "GATEWAY_LISTEN_$replica" "127.0.0.1:$((base - 20 + replica - 1))"
done
export_default GATEWAY_ADDRESS "http://$GATEWAY_LISTEN"
# The first origin is the one shown to the developer.
export_default PUBLIC_ORIGIN "http://$GATEWAY_LISTEN,http://localhost:${GATEWAY_LISTEN##*:}"
export_default WEB_DIST "$root/frontend/dist"
export_default SANDBOX_LISTEN "127.0.0.1:$((base + 90))"
export_default PROVIDER_URL "http://$SANDBOX_LISTEN"
export_default PROVIDER_SCRIPT_URL "http://$SANDBOX_LISTEN/v1/js/"
export_default PROVIDER_WEBHOOK_URL "http://$GATEWAY_LISTEN/webhooks/payments"
export_default SMS_FILE "$run_dir/sms.jsonl"
export_default EMAIL_FILE "$run_dir/emails.jsonl"
# Pushes to the native app. Those to browsers go to their push services, in the browser tests to a server of the test.
export_default PUSH_FILE "$run_dir/pushes.jsonl"
if [[ $STACK != dev ]]; then export_default PUSH_HOSTS "http://127.0.0.1:$((base + 95))"; fi
export_default PHOTO_FOLDER "$run_dir/photos"
export_default GIFT_MESSAGE_FILE "$run_dir/gift-cards.jsonl"
export_default GIFT_REDEEM_URL "http://$GATEWAY_LISTEN/wallet/redeem"
export_default CARD_SANDBOX_DATA "$run_dir/card-sandbox"
export_default LOG_FORMAT pretty
export_default API_DOCS_FOLDER "$root/frontend/node_modules/swagger-ui-dist"
# Receivers of webhooks run on this machine.
export_default WEBHOOKS_ALLOW_PRIVATE_ADDRESSES true
# Developers and tests sign in with the same phone number many times.
export_default SIGN_IN_CODES_PER_HOUR 1000
# All consumers of the tests and of the load measurement share one address, and several tests sign in as the demo consumer.
if [[ $STACK != dev ]]; then
  export_default SIGN_IN_RESEND_SECONDS 0
  export_default SIGN_IN_ATTEMPTS_PER_HOUR 1000
  export_default SIGN_IN_LIMIT_PER_ADDRESS 100000
  export_default SIGN_IN_LIMIT_IN_ALL 100000
  export_default MAX_CONNECTIONS_PER_ADDRESS 100000
fi
# The defaults are slow enough to watch; tests use short delays.
if [[ $STACK != dev ]]; then
  export_default BARISTA_ACCEPT_SECONDS 1
  export_default BARISTA_START_SECONDS 1
  export_default BARISTA_MAKE_SECONDS 3
  export_default BARISTA_PICKUP_SECONDS 3
  # The browser tests make the orders of these stores, in the store console and with the store API.
  export_default BARISTA_SKIP_STORES "Hayes & Octavia;Magazine & Napoleon"
fi
export_default RUST_LOG info

# Secrets are generated once per clone and stack; the repository contains none.
secrets=$run_dir/secrets.env
mkdir -p "$run_dir"
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
for secret in CALLER_SECRET= ACCOUNTS_SECRET= NATIVE_APP_KEY= OPERATOR_KEY= RECEIPT_SECRET= GIFT_CARDS_SECRET= WEBHOOKS_SECRET= PROVIDER_SECRET_KEY=sk_test_ PROVIDER_PUBLISHABLE_KEY=pk_test_ \
  PROVIDER_WEBHOOK_SECRET=whsec_; do
  if ! grep -qs "^${secret%%=*}=" "$secrets"; then (umask 077 && echo "$secret$(random)" >>"$secrets"); fi
done
# A key for push notifications in base64url.
if ! grep -qs '^VAPID_PRIVATE_KEY=' "$secrets"; then
  (umask 077 && echo "VAPID_PRIVATE_KEY=$(head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=')" >>"$secrets")
fi
while IFS='=' read -r name value; do export_default "$name" "$value"; done <"$secrets"
export_default OPERATOR_KEYS "developer:$(printf %s "$OPERATOR_KEY" | sha256sum | cut -d ' ' -f 1)"
