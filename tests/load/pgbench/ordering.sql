-- The statements that one order causes in the database of ordering: ops/place_order/ with the steps of db/steps.rs, the
-- relay.
\set order random(1, 140000000000000)
-- Each client uses its own consumers, because concurrent orders of one consumer can choose the same slot.
\set consumer 1 + :client_id + :clients * random(0, (:consumers - 1 - :client_id) / :clients)
\set store random(1, :stores)
-- find_balance_name: whether the JoePass paid for one of the newest orders.
SELECT EXISTS (
  SELECT FROM (
    SELECT status, payment_method_id, stored_value_balance_id, stored_value_name FROM orders
    WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid ORDER BY created_at DESC LIMIT 3
  ) AS newest
  WHERE status NOT IN ('payment_pending', 'payment_failed') AND stored_value_name = 'JoePass'
    AND 'bal_01h455vb4pex5vsknk084sn02q' IN (payment_method_id, stored_value_balance_id));
-- check_debts: what is known of the consumer's debts.
SELECT announced_debts, coalesce(clear_until > now(), false) FROM debt_checks WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid;
-- begin: the idempotency key, the order in a free slot and its history.
WITH highest AS (
  SELECT coalesce(max(active_slot), 0) AS slot FROM orders
  WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND NOT (pickup_at IS NOT NULL)
    AND status IN ('payment_pending', 'scheduled', 'placed', 'accepted', 'preparing')
), free_slot AS (
  SELECT CASE WHEN slot < 100000 THEN slot + 1 ELSE (
    SELECT min(candidate) FROM (
      SELECT 1 AS candidate
      UNION ALL
      SELECT active_slot + 1 FROM orders
      WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND NOT (pickup_at IS NOT NULL)
        AND status IN ('payment_pending', 'scheduled', 'placed', 'accepted', 'preparing')
    ) AS candidates
    WHERE candidate <= 100000 AND NOT EXISTS (
      SELECT FROM orders
      WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND NOT (pickup_at IS NOT NULL)
        AND active_slot = candidate
        AND status IN ('payment_pending', 'scheduled', 'placed', 'accepted', 'preparing'))
  ) END AS slot FROM highest
), new_key AS (
  INSERT INTO idempotency (scope, operation, key, request_hash)
  SELECT 'usr_' || :consumer, 'place_order', :order::text, sha256(:order::text::bytea) FROM free_slot
  WHERE slot IS NOT NULL AND NOT EXISTS (SELECT FROM removed_consumers WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid)
  ON CONFLICT ON CONSTRAINT idempotency_pkey DO NOTHING
  RETURNING key
), new_order AS (
  INSERT INTO orders (id, consumer_id, store_id, cart_id, status, version, idempotency_key, store_name, store_address,
    time_zone, lines, currency, subtotal, discount, tax, tip, total, tax_rate_ppm, promo_code, points, tender,
    payment_method_id, pickup, vehicle, pickup_name, make_seconds, pickup_at, ready_at, start_at, not_after, created_at,
    lease_until, journey_step, active_slot, stored_value_amount, stored_value_balance_id, stored_value_name)
  SELECT lpad(to_hex(:order::bigint), 32, '0')::uuid, lpad(to_hex(:consumer::bigint), 32, '0')::uuid, lpad(to_hex(:store::bigint), 32, '0')::uuid,
    :order::text, 'payment_pending', 1, :order::text, 'Market & Van Ness', '1500 Market St, San Francisco',
    'America/Los_Angeles', jsonb_build_array(jsonb_build_object('line_id', '1', 'item_id', 'itm_01h455vb4pex5vsknk084sn02q',
      'item_name', 'Latte', 'size_id', 'siz_01h455vb4pex5vsknk084sn02q', 'size_name', 'Medium', 'quantity', 1,
      'unit_price', 475, 'amount', 475, 'discount', 0, 'art', repeat('x', 200), 'choices', repeat('x', 1200), 'note', '')),
    'usd', 475, 0, 41, 0, 516, 86250, '', 40, 'joepass', 'bal_01h455vb4pex5vsknk084sn02q', 'counter', '', 'Ada', 70, NULL,
    now() + interval '5 minutes', now(), now() + interval '10 minutes', now(), now() + interval '15 seconds', 'web', slot, 0, '', 'JoePass'
  FROM new_key, free_slot
  RETURNING id, version, status, created_at
), new_history AS (
  INSERT INTO order_history (order_id, version, status, at, actor)
  SELECT id, version, status, created_at, 'consumer' FROM new_order
) SELECT EXISTS (SELECT FROM new_order), slot IS NULL,
  EXISTS (SELECT FROM removed_consumers WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid)
FROM free_slot;
-- advance: the placed order, its history, its event and the stored response.
WITH changed AS (
  UPDATE orders SET status = 'placed', version = version + 1, reason = '', message = '', placed_at = coalesce(now(), placed_at),
    accept_by = now() + interval '10 minutes', ready_at = now() + interval '5 minutes', start_at = now(), client_secret = '', awaits_authentication = false,
    lease_until = NULL, is_charged = false, made_at = NULL
  WHERE id = lpad(to_hex(:order::bigint), 32, '0')::uuid AND version = 1 AND status = 'payment_pending' AND epoch = 1
    AND NOT (status = 'payment_pending' AND 'placed' IN ('placed', 'scheduled')
      AND EXISTS (SELECT FROM removed_consumers WHERE consumer_id = orders.consumer_id))
  RETURNING id, version, status
), new_history AS (
  INSERT INTO order_history (order_id, version, status, at, actor)
  SELECT id, version, status, now(), 'consumer' FROM changed
), new_event AS (
  INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
  SELECT lpad(to_hex(:order::bigint), 32, '0')::uuid, 'ordering.OrderPlaced', 'ord_' || :order, 2, repeat('x', 400)::bytea, NULL, now()
  FROM changed
), stored_response AS (
  UPDATE idempotency SET response = repeat('x', 2500)::bytea FROM changed
  WHERE scope = 'usr_' || :consumer AND operation = 'place_order' AND key = :order::text AND response IS NULL
) SELECT EXISTS (SELECT FROM changed);
-- relay: leases the event and moves it after its publication. The real relay does this for many events at once.
UPDATE outbox SET leased_until = now() + interval '15 seconds' WHERE event_id = lpad(to_hex(:order::bigint), 32, '0')::uuid;
WITH deleted AS (DELETE FROM outbox WHERE event_id = lpad(to_hex(:order::bigint), 32, '0')::uuid RETURNING *)
INSERT INTO published_events (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
SELECT event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at FROM deleted;
