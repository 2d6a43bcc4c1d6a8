-- What one stored-value order asks of ordering's database: ops/place.rs, ops/gather.rs, ops/confirm.rs, the relay.
\set order random(1, 140000000000000)
\set consumer random(1, :consumers)
\set store random(1, :stores)
-- Seen this key before?
SELECT request_hash, response FROM idempotency
WHERE scope = 'usr_' || :consumer AND operation = 'place_order' AND key = :order::text;
-- The key, the order and its history.
WITH taken AS (
  INSERT INTO idempotency (scope, operation, key, request_hash)
  VALUES ('usr_' || :consumer, 'place_order', :order::text, sha256(:order::text::bytea))
  ON CONFLICT ON CONSTRAINT idempotency_pkey DO NOTHING
  RETURNING key
), begun AS (
  INSERT INTO orders (id, consumer_id, store_id, cart_id, status, version, idempotency_key, store_name, store_address,
    time_zone, lines, currency, subtotal, discount, tax, tip, total, tax_rate_ppm, promo_code, points, tender,
    payment_method_id, pickup, vehicle, pickup_name, make_seconds, pickup_at, ready_at, start_at, not_after, created_at,
    lease_until)
  SELECT lpad(to_hex(:order::bigint), 32, '0')::uuid, lpad(to_hex(:consumer::bigint), 32, '0')::uuid, lpad(to_hex(:store::bigint), 32, '0')::uuid,
    :order::text, 'payment_pending', 1, :order::text, 'Market & Van Ness', '1500 Market St, San Francisco',
    'America/Los_Angeles', jsonb_build_array(jsonb_build_object('line_id', '1', 'item_id', 'itm_01h455vb4pex5vsknk084sn02q',
      'item_name', 'Latte', 'size_id', 'siz_01h455vb4pex5vsknk084sn02q', 'size_name', 'Medium', 'quantity', 1,
      'unit_price', 475, 'amount', 475, 'discount', 0, 'art', repeat('x', 200), 'choices', repeat('x', 1200), 'note', '')),
    'usd', 475, 0, 41, 0, 516, 86250, '', 40, 'joepass', 'bal_01h455vb4pex5vsknk084sn02q', 'counter', '', 'Ada', 70, NULL,
    now() + interval '5 minutes', now(), now() + interval '10 minutes', now(), now() + interval '15 seconds' FROM taken
  RETURNING id, version, status, created_at
), noted AS (
  INSERT INTO order_history (order_id, version, status, at, by_whom)
  SELECT id, version, status, created_at, 'consumer' FROM begun
) SELECT EXISTS (SELECT FROM begun);
-- Placed with the promise that came of the minutes, its history, its fact and its answer.
WITH moved AS (
  UPDATE orders SET status = 'placed', version = version + 1, reason = '', message = '', placed_at = coalesce(now(), placed_at),
    accept_by = now() + interval '10 minutes', ready_at = now() + interval '5 minutes', start_at = now(), client_secret = '',
    lease_until = NULL
  WHERE id = lpad(to_hex(:order::bigint), 32, '0')::uuid AND version = 1 AND status = 'payment_pending' AND epoch = 1
  RETURNING id, version, status
), noted AS (
  INSERT INTO order_history (order_id, version, status, at, by_whom)
  SELECT id, version, status, now(), 'consumer' FROM moved
), told AS (
  INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
  SELECT lpad(to_hex(:order::bigint), 32, '0')::uuid, 'ordering.OrderPlaced', 'ord_' || :order, 2, repeat('x', 400)::bytea, NULL, now()
  FROM moved
), answered AS (
  UPDATE idempotency SET response = repeat('x', 2500)::bytea FROM moved
  WHERE scope = 'usr_' || :consumer AND operation = 'place_order' AND key = :order::text AND response IS NULL
) SELECT EXISTS (SELECT FROM moved);
-- The relay's share: it claims and removes many at once.
UPDATE outbox SET leased_until = now() + interval '15 seconds' WHERE event_id = lpad(to_hex(:order::bigint), 32, '0')::uuid;
DELETE FROM outbox WHERE event_id = lpad(to_hex(:order::bigint), 32, '0')::uuid;
