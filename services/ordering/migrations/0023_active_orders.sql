-- no-transaction
-- Open apps and live streams read the active orders of a consumer often.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_consumer_active_idx ON orders (consumer_id)
    WHERE status IN ('payment_pending', 'scheduled', 'placed', 'accepted', 'preparing', 'ready');
