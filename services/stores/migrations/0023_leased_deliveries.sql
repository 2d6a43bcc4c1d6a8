-- no-transaction
-- The sends in progress of a subscription, without reading its backlog.
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_leased_idx ON webhook_deliveries (subscription_id)
    WHERE state = 'pending' AND leased_until IS NOT NULL;
