-- When the consumer proved that the address is theirs; null for an address that is not verified.
ALTER TABLE consumers ADD COLUMN email_verified_at timestamptz;

-- Links that verify an address. They stay until they expire, for the limits.
CREATE TABLE email_verifications (
    id           uuid CONSTRAINT email_verifications_pkey PRIMARY KEY,
    consumer_id  uuid NOT NULL
        CONSTRAINT email_verifications_consumer_id_fkey REFERENCES consumers (id) ON DELETE CASCADE,
    email        text NOT NULL,
    -- Of the token in the link, which is created when the email is sent. Null before, and once the link was used.
    token_hash   bytea CONSTRAINT email_verifications_token_hash_key UNIQUE,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    -- Whether the email was sent or can't be.
    is_finished  boolean NOT NULL DEFAULT false,
    leased_until timestamptz,
    attempts     integer NOT NULL DEFAULT 0
);
CREATE INDEX email_verifications_due_idx ON email_verifications (created_at) WHERE NOT is_finished;
CREATE INDEX email_verifications_consumer_idx ON email_verifications (consumer_id, created_at);
CREATE INDEX email_verifications_email_idx ON email_verifications (lower(email), created_at);
CREATE INDEX email_verifications_expires_at_idx ON email_verifications (expires_at);
