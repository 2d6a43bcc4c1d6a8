-- Reads the newest orders of a consumer.
\set consumer random(1, :consumers)
SELECT id, status, created_at FROM orders
WHERE consumer_id = lpad(to_hex(:consumer::bigint), 32, '0')::uuid
ORDER BY created_at DESC LIMIT 20;
