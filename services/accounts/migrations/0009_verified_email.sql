-- The address that the consumer proved to be theirs. It is verified while it is the address of the consumer: the previous release
-- changes that one alone.
ALTER TABLE consumers ADD COLUMN verified_email text;

-- SHA-256 of the token that verified the address, so that opening the link again succeeds.
ALTER TABLE email_verifications ADD COLUMN used_token_hash bytea;

-- Times of the emails to an address that removed consumers requested, for its limit.
CREATE TABLE anonymized_email_verifications (
    -- HMAC of the address in lower case.
    email_hash bytea NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX anonymized_email_verifications_email_idx ON anonymized_email_verifications (email_hash, created_at);
CREATE INDEX anonymized_email_verifications_expires_at_idx ON anonymized_email_verifications (expires_at);
