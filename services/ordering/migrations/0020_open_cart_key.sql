-- no-transaction
-- A cart whose order was canceled or rejected can be ordered again.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS orders_open_cart_key ON orders (consumer_id, cart_id)
    WHERE status NOT IN ('payment_failed', 'cancelled', 'rejected');
