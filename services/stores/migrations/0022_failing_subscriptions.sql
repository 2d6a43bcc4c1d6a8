-- A subscription whose newest attempt failed gets few sends at a time.
ALTER TABLE webhook_subscriptions ADD COLUMN is_failing boolean NOT NULL DEFAULT false;
-- The sends in progress of a subscription, without reading its backlog.
CREATE INDEX webhook_deliveries_leased_idx ON webhook_deliveries (subscription_id)
WHERE state = 'pending' AND leased_until IS NOT NULL;
