-- Reads the first orders in the queue of a store.
\set store random(1, :stores)
SELECT id, status, start_at FROM orders
WHERE store_id = lpad(to_hex(:store::bigint), 32, '0')::uuid AND status IN ('placed', 'accepted', 'preparing', 'ready')
ORDER BY start_at LIMIT 20;
