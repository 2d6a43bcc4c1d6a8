-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS purchases_by_change ON purchases (changed_at);
