-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS disputes_by_charge ON disputes (charge_id);
