-- no-transaction
-- For open and paid debts together; the other indexes have either.
CREATE INDEX CONCURRENTLY IF NOT EXISTS debts_by_consumer ON debts (consumer_id);
