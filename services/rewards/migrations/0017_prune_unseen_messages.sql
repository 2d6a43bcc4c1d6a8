-- no-transaction
-- Finds old messages that were not seen.
CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_unseen_by_age_idx ON messages (created_at)
    WHERE seen_at IS NULL AND removed_at IS NULL;
