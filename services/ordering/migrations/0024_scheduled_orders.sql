-- no-transaction
-- The scheduled orders of a store, by promised time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_store_scheduled_idx ON orders (store_id, ready_at, id)
    WHERE status = 'scheduled';
