-- The statement that one order causes in the database of payments: ops/check_debts.rs.
\set consumer random(1, :consumers)
SELECT EXISTS (SELECT FROM debts WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid AND recovered_at IS NULL);
