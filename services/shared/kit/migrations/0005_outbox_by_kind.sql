-- no-transaction
-- The relay reads each event type from its oldest event, without those of event types that cannot be published now. Ordered by time,
-- because the planner would read an order by position from the primary key, through all other event types.
CREATE INDEX CONCURRENTLY IF NOT EXISTS outbox_kind_occurred_at_idx ON outbox (kind, occurred_at);
