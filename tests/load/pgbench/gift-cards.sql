-- The statements that one order causes in the database of gift-cards: ops/find_balance_name.rs,
-- ops/hold_value.rs, the relay.
\set order random(1, 140000000000000)
\set consumer random(1, :consumers)
-- find_balance_name: the consumer's JoePass account and balance.
SELECT account.id AS account_id, balance.line, balance.balance AS cents
FROM ledger.accounts account JOIN ledger.balances balance ON balance.account_id = account.id
WHERE account.kind = 'joepass' AND account.owner = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND account.unit = 'usd' \gset own_
-- hold_value: the hold with its posting, the new balance and the event (recent_balances.rs).
WITH locked AS (
  SELECT account_id FROM ledger.balances
  WHERE account_id = :own_account_id::uuid AND line = :own_line::bigint AND balance = :own_cents::bigint FOR NO KEY UPDATE
), new_hold AS (
  INSERT INTO holds (order_id, state, balance_id, amount, title, created_at, changed_at, store_id)
  SELECT lpad(to_hex(:order::bigint), 32, '0')::uuid, 'held', account_id, 1, 'Order at Market & Van Ness', now(), now(),
    lpad(to_hex(:order::bigint), 32, '0')::uuid FROM locked
  ON CONFLICT ON CONSTRAINT holds_pkey DO NOTHING
  RETURNING balance_id, amount
), posting AS (
  INSERT INTO ledger.postings (id, reference, from_account, to_account, unit, amount, kind, explanation, subject, at,
    from_line, from_balance)
  SELECT gen_random_uuid(), 'order-' || :order || '-hold', balance_id, '00000000-0000-0000-0000-000000000002', 'usd', amount,
    'order_held', 'Order at Market & Van Ness', lpad(to_hex(:order::bigint), 32, '0')::uuid, now(),
    :own_line::bigint + 1, :own_cents::bigint - 1 FROM new_hold
), updated AS (
  UPDATE ledger.balances SET balance = :own_cents::bigint - 1, line = :own_line::bigint + 1
  FROM new_hold WHERE account_id = balance_id
), new_event AS (
  INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
  SELECT lpad(to_hex(:order::bigint), 32, '0')::uuid, 'gift-cards.BalanceChanged', 'bal_' || :consumer, 2,
    repeat('x', 120)::bytea, NULL, now() FROM new_hold
), due AS (
  UPDATE auto_reload_rules SET due_at = now() FROM new_hold
  WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND is_enabled AND due_at IS NULL
    AND threshold > :own_cents::bigint - 1
) SELECT EXISTS (SELECT FROM new_hold);
-- relay: leases the event and moves it after its publication. The real relay does this for many events at once.
UPDATE outbox SET leased_until = now() + interval '15 seconds' WHERE event_id = lpad(to_hex(:order::bigint), 32, '0')::uuid;
WITH deleted AS (DELETE FROM outbox WHERE event_id = lpad(to_hex(:order::bigint), 32, '0')::uuid RETURNING *)
INSERT INTO published_events (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
SELECT event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at FROM deleted;
