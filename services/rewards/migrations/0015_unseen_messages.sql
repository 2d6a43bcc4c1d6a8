-- no-transaction
-- Each new message counts the unseen ones of its consumer.
CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_unseen_idx ON messages (consumer_id)
    WHERE seen_at IS NULL AND removed_at IS NULL;
