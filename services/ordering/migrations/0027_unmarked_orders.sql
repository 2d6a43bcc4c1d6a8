-- no-transaction
-- Accepted orders that their stores never mark ready complete some time after their promised time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_unmarked_idx ON orders (ready_at)
    WHERE status IN ('accepted', 'preparing');
