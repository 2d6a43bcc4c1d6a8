-- no-transaction
-- Due notifications of a channel, without reading the backlog of the others.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notifications_due_by_channel_idx ON notifications (channel, send_after)
    WHERE state IN ('queued', 'sending');
