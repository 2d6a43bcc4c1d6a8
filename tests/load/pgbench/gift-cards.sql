-- The statements that one order causes in the database of gift-cards: ops/get_wallet.rs, ops/hold_value.rs, the relay.
\set order random(1, 140000000000000)
\set consumer random(1, :consumers)
-- get_wallet: the consumer's account, its balance and the amounts on hold.
BEGIN;
SELECT id FROM ledger.accounts WHERE kind = 'joepass' AND owner = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND unit = 'usd' \gset own_
SELECT balance FROM ledger.balances WHERE account_id = :own_id::uuid;
SELECT coalesce(sum(amount), 0)::bigint FROM holds WHERE balance_id = :own_id::uuid AND state = 'held';
COMMIT;
-- hold_value: the hold, its ledger posting and its event.
BEGIN;
SELECT id FROM ledger.accounts WHERE kind = 'joepass' AND owner = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND unit = 'usd';
INSERT INTO holds (order_id, state, balance_id, amount, title, created_at, changed_at)
VALUES (lpad(to_hex(:order::bigint), 32, '0')::uuid, 'held', :own_id::uuid, 1, 'Order at Market & Van Ness', now(), now())
ON CONFLICT ON CONSTRAINT holds_pkey DO NOTHING;
SELECT account_id, balance, line FROM ledger.balances
WHERE account_id IN (:own_id::uuid, '00000000-0000-0000-0000-000000000002') ORDER BY account_id FOR NO KEY UPDATE \gset own_
WITH posting AS (
  INSERT INTO ledger.postings (id, reference, from_account, to_account, unit, amount, kind, explanation, subject, at,
    from_line, from_balance, to_line, to_balance)
  VALUES (gen_random_uuid(), 'order-' || :order || '-hold', :own_id::uuid, '00000000-0000-0000-0000-000000000002', 'usd', 1,
    'order_held', 'Order at Market & Van Ness', lpad(to_hex(:order::bigint), 32, '0')::uuid, now(),
    :own_line::bigint + 1, :own_balance::bigint - 1, NULL, NULL)
  ON CONFLICT ON CONSTRAINT postings_reference DO NOTHING
  RETURNING from_account, to_account, from_line, from_balance, to_line, to_balance
), updated AS (
  UPDATE ledger.balances SET balance = CASE account_id WHEN from_account THEN from_balance ELSE to_balance END,
    line = CASE account_id WHEN from_account THEN from_line ELSE to_line END
  FROM posting WHERE account_id IN (from_account, to_account)
) SELECT count(*) FROM posting;
INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
VALUES (lpad(to_hex(:order::bigint), 32, '0')::uuid, 'gift-cards.BalanceChanged', 'bal_' || :consumer, 2, repeat('x', 120)::bytea, NULL, now());
COMMIT;
-- relay: leases the event and deletes it after its publication. The real relay does this for many events at once.
UPDATE outbox SET leased_until = now() + interval '15 seconds' WHERE event_id = lpad(to_hex(:order::bigint), 32, '0')::uuid;
DELETE FROM outbox WHERE event_id = lpad(to_hex(:order::bigint), 32, '0')::uuid;
