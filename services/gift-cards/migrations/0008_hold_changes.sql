-- no-transaction
-- The audit of ordering reads the holds that changed.
CREATE INDEX CONCURRENTLY IF NOT EXISTS holds_by_change ON holds (changed_at);
