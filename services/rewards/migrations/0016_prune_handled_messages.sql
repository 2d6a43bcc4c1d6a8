-- no-transaction
-- Finds messages that were seen or removed long ago.
CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_handled_idx ON messages ((coalesce(removed_at, seen_at)))
    WHERE coalesce(removed_at, seen_at) IS NOT NULL;
