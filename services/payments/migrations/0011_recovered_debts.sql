-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS debts_recovered_by_consumer ON debts (consumer_id, recovered_at)
    WHERE recovered_at IS NOT NULL;
