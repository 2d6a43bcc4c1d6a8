-- no-transaction
-- Rows are inserted in the order of this time, so that a small index suffices.
CREATE INDEX CONCURRENTLY IF NOT EXISTS order_history_by_record_time ON order_history USING brin (recorded_at);
