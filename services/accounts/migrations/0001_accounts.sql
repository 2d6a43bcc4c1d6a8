-- Who the consumer is.
CREATE TABLE consumers (
    id         uuid CONSTRAINT consumers_pkey PRIMARY KEY,
    -- E.164.
    phone      text NOT NULL CONSTRAINT consumers_phone_key UNIQUE,
    email      text NOT NULL DEFAULT '',
    first_name text NOT NULL DEFAULT '',
    last_name  text NOT NULL DEFAULT '',
    share_code text NOT NULL CONSTRAINT consumers_share_code_key UNIQUE,
    created_at timestamptz NOT NULL
);

-- Codes that were sent. Only a keyed hash is kept.
CREATE TABLE challenges (
    id         uuid CONSTRAINT challenges_pkey PRIMARY KEY,
    phone      text NOT NULL,
    code_hash  bytea NOT NULL,
    sent_at    timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    tries      integer NOT NULL DEFAULT 0,
    used_at    timestamptz
);
CREATE INDEX challenges_phone_idx ON challenges (phone, sent_at DESC);
CREATE INDEX challenges_sent_at_idx ON challenges (sent_at);

-- Tries at codes in the current hour, by account and, for a device that signed in before, by that device.
-- Counted before the code is compared; a new code does not reset it.
CREATE TABLE tries (
    phone        text NOT NULL,
    device       bytea NOT NULL,
    window_start timestamptz NOT NULL,
    count        integer NOT NULL,
    CONSTRAINT tries_pkey PRIMARY KEY (phone, device)
);

-- Devices that signed in before, by the hash of their id.
CREATE TABLE devices (
    consumer_id uuid NOT NULL CONSTRAINT devices_consumer_id_fkey REFERENCES consumers (id) ON DELETE CASCADE,
    device      bytea NOT NULL,
    seen_at     timestamptz NOT NULL,
    CONSTRAINT devices_pkey PRIMARY KEY (consumer_id, device)
);

-- Sessions; only the hash of the token is kept.
CREATE TABLE sessions (
    id          uuid CONSTRAINT sessions_pkey PRIMARY KEY,
    consumer_id uuid NOT NULL CONSTRAINT sessions_consumer_id_fkey REFERENCES consumers (id) ON DELETE CASCADE,
    token_hash  bytea NOT NULL CONSTRAINT sessions_token_hash_key UNIQUE,
    created_at  timestamptz NOT NULL,
    seen_at     timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,
    ended_at    timestamptz
);
CREATE INDEX sessions_consumer_idx ON sessions (consumer_id);

-- Messages to send: carried out by a worker, so that a sender that is away or slow holds nobody up. The text goes once it
-- was sent or nobody needs it any more.
CREATE TABLE messages (
    id           uuid CONSTRAINT messages_pkey PRIMARY KEY,
    phone        text NOT NULL,
    body         text NOT NULL,
    created_at   timestamptz NOT NULL,
    give_up_at   timestamptz NOT NULL,
    leased_until timestamptz,
    attempts     integer NOT NULL DEFAULT 0
);
CREATE INDEX messages_created_at_idx ON messages (created_at);
