-- no-transaction
-- Notifications whose worker stopped while it sent them.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notifications_sending_idx ON notifications (leased_until)
    WHERE state = 'sending';
