-- The changes of one order, as in ../pgbench/ordering.sql, with the consumer in each of them and one statement for each table:
-- Citus does not route an INSERT in a common table expression.
\set order random(1, 140000000000000)
\set consumer 1 + :client_id + :clients * random(0, (:consumers - 1 - :client_id) / :clients)
\set store random(1, :stores)
BEGIN;
INSERT INTO idempotency (consumer_id, scope, operation, key, request_hash)
VALUES (lpad(to_hex(:consumer::bigint), 32, '0')::uuid, 'usr_' || :consumer, 'place_order', :order::text, sha256(:order::text::bytea))
ON CONFLICT DO NOTHING;
SELECT coalesce(max(active_slot), 0) + 1 AS slot FROM orders
WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND NOT (pickup_at IS NOT NULL)
  AND status IN ('payment_pending', 'scheduled', 'placed', 'accepted', 'preparing')
\gset
INSERT INTO orders (id, consumer_id, store_id, cart_id, status, version, idempotency_key, store_name, store_address,
  time_zone, lines, currency, subtotal, discount, tax, tip, total, tax_rate_ppm, promo_code, points, tender,
  payment_method_id, pickup, vehicle, pickup_name, make_seconds, pickup_at, ready_at, start_at, not_after, created_at,
  lease_until, journey_step, active_slot, stored_value_amount, stored_value_balance_id, stored_value_name)
VALUES (lpad(to_hex(:order::bigint), 32, '0')::uuid, lpad(to_hex(:consumer::bigint), 32, '0')::uuid,
  lpad(to_hex(:store::bigint), 32, '0')::uuid, :order::text, 'payment_pending', 1, :order::text, 'Market & Van Ness',
  '1500 Market St, San Francisco', 'America/Los_Angeles', jsonb_build_array(jsonb_build_object('line_id', '1', 'item_id',
  'itm_01h455vb4pex5vsknk084sn02q', 'item_name', 'Latte', 'size_id', 'siz_01h455vb4pex5vsknk084sn02q', 'size_name', 'Medium',
  'quantity', 1, 'unit_price', 475, 'amount', 475, 'discount', 0, 'art', repeat('x', 200), 'choices', repeat('x', 1200), 'note', '')),
  'usd', 475, 0, 41, 0, 516, 86250, '', 40, 'joepass', 'bal_01h455vb4pex5vsknk084sn02q', 'counter', '', 'Ada', 70, NULL,
  now() + interval '5 minutes', now(), now() + interval '10 minutes', now(), now() + interval '15 seconds', 'web', :slot, 0, '', 'JoePass');
INSERT INTO order_history (consumer_id, order_id, version, status, at, actor)
VALUES (lpad(to_hex(:consumer::bigint), 32, '0')::uuid, lpad(to_hex(:order::bigint), 32, '0')::uuid, 1, 'payment_pending', now(), 'consumer');
COMMIT;
BEGIN;
UPDATE orders SET status = 'placed', version = version + 1, reason = '', message = '', placed_at = now(),
  accept_by = now() + interval '10 minutes', ready_at = now() + interval '5 minutes', start_at = now(), client_secret = '', awaits_authentication = false,
  lease_until = NULL, is_charged = false, made_at = NULL
WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND id = lpad(to_hex(:order::bigint), 32, '0')::uuid
  AND version = 1 AND status = 'payment_pending' AND epoch = 1;
INSERT INTO order_history (consumer_id, order_id, version, status, at, actor)
VALUES (lpad(to_hex(:consumer::bigint), 32, '0')::uuid, lpad(to_hex(:order::bigint), 32, '0')::uuid, 2, 'placed', now(), 'consumer');
INSERT INTO outbox (consumer_id, event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
VALUES (lpad(to_hex(:consumer::bigint), 32, '0')::uuid, lpad(to_hex(:order::bigint), 32, '0')::uuid, 'ordering.OrderPlaced',
  'ord_' || :order, 2, repeat('x', 400)::bytea, NULL, now());
UPDATE idempotency SET response = repeat('x', 2500)::bytea
WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND scope = 'usr_' || :consumer AND operation = 'place_order'
  AND key = :order::text AND response IS NULL;
COMMIT;
UPDATE outbox SET leased_until = now() + interval '15 seconds'
WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND event_id = lpad(to_hex(:order::bigint), 32, '0')::uuid;
BEGIN;
DELETE FROM outbox
WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND event_id = lpad(to_hex(:order::bigint), 32, '0')::uuid;
INSERT INTO published_events (consumer_id, event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
VALUES (lpad(to_hex(:consumer::bigint), 32, '0')::uuid, lpad(to_hex(:order::bigint), 32, '0')::uuid, 'ordering.OrderPlaced',
  'ord_' || :order, 2, repeat('x', 400)::bytea, NULL, now());
COMMIT;
