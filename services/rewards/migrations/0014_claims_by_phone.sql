-- no-transaction
-- Counts the claims of a phone number.
CREATE INDEX CONCURRENTLY IF NOT EXISTS claims_by_phone ON claims (phone_hash, code)
    WHERE state = 'claimed' AND phone_hash IS NOT NULL;
