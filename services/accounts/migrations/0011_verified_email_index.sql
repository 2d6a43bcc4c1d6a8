-- no-transaction
-- Consumers by the address to which a gift card is sent.
CREATE INDEX CONCURRENTLY IF NOT EXISTS consumers_verified_email_idx ON consumers (lower(verified_email))
    WHERE verified_email IS NOT NULL;
