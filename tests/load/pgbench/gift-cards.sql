-- The statements that one order causes in the database of gift-cards: ops/find_balance_name.rs,
-- ops/hold_value.rs, the relay.
\set order random(1, 140000000000000)
\set consumer random(1, :consumers)
-- The client of the service knows the id of its JoePass.
SELECT id AS account_id FROM ledger.accounts
WHERE kind = 'joepass' AND owner = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND unit = 'usd' \gset own_
-- hold_value: the balance, and the hold with its posting and the event.
WITH updated AS (
  UPDATE ledger.balances SET balance = balance - 1, line = line + 1
  WHERE account_id = :own_account_id::uuid AND balance >= 1
    AND EXISTS (SELECT FROM ledger.accounts WHERE id = :own_account_id::uuid AND kind = 'joepass'
                AND owner = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND unit = 'usd')
    AND NOT EXISTS (SELECT FROM holds WHERE order_id = lpad(to_hex(:order::bigint), 32, '0')::uuid)
  RETURNING account_id, line, balance AS cents
), new_hold AS (
  INSERT INTO holds (order_id, state, balance_id, amount, title, created_at, changed_at, store_id)
  SELECT lpad(to_hex(:order::bigint), 32, '0')::uuid, 'held', account_id, 1, 'Order at Market & Van Ness', now(), now(),
    lpad(to_hex(:order::bigint), 32, '0')::uuid FROM updated
), posting AS (
  INSERT INTO ledger.postings (id, reference, from_account, to_account, unit, amount, kind, explanation, subject, at,
    from_line, from_balance)
  SELECT gen_random_uuid(), 'order-' || :order || '-hold', account_id, '00000000-0000-0000-0000-000000000002', 'usd', 1,
    'order_held', 'Order at Market & Van Ness', lpad(to_hex(:order::bigint), 32, '0')::uuid, now(), line, cents FROM updated
), new_event AS (
  INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
  SELECT lpad(to_hex(:order::bigint), 32, '0')::uuid, 'gift-cards.BalanceChanged', 'bal_' || :consumer, line,
    overlay(repeat('x', 120)::bytea PLACING (
      SELECT string_agg(set_byte('\x00', 0,
        (((cents >> (7 * place)) & 127) | CASE WHEN place < 8 THEN 128 ELSE 0 END)::integer), '' ORDER BY place)
      FROM generate_series(0, 8) AS place
    ) FROM 90), NULL, now() FROM updated
), due AS (
  UPDATE auto_reload_rules SET due_at = now() FROM updated
  WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND is_enabled
    AND (due_at IS NULL OR due_at > now()) AND threshold > cents
) SELECT cents FROM updated;
-- relay: leases the event and moves it after its publication. The real relay does this for many events at once.
UPDATE outbox SET leased_until = now() + interval '15 seconds' WHERE event_id = lpad(to_hex(:order::bigint), 32, '0')::uuid;
WITH deleted AS (DELETE FROM outbox WHERE event_id = lpad(to_hex(:order::bigint), 32, '0')::uuid RETURNING *)
INSERT INTO published_events (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
SELECT event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at FROM deleted;
