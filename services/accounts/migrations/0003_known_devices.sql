-- One row per attempt to enter a code, for sliding limits. sign_in_attempts, which counts per fixed window, is no longer
-- written; its rows are pruned, and a later migration drops it.
CREATE TABLE code_attempts (
    phone        text NOT NULL,
    -- Empty for a device that never signed in to the account.
    device_hash  bytea NOT NULL,
    attempted_at timestamptz NOT NULL
);
CREATE INDEX code_attempts_key_idx ON code_attempts (phone, device_hash, attempted_at);
CREATE INDEX code_attempts_attempted_at_idx ON code_attempts (attempted_at);

-- A code that was requested from a known device can be entered only there, so that the requests and attempts of others
-- neither replace it nor count against it. Empty as above.
ALTER TABLE challenges ADD COLUMN device_hash bytea NOT NULL DEFAULT '';
CREATE INDEX challenges_key_idx ON challenges (phone, device_hash, sent_at DESC);

-- For the consumer's list of devices: for example "Safari on iPhone". Empty if unknown.
ALTER TABLE sessions ADD COLUMN device_hash bytea;
ALTER TABLE sessions ADD COLUMN device_name text NOT NULL DEFAULT '';
ALTER TABLE devices ADD COLUMN name text NOT NULL DEFAULT '';

-- Pruning.
CREATE INDEX sessions_ended_idx ON sessions (coalesce(ended_at, expires_at));
CREATE INDEX devices_seen_at_idx ON devices (seen_at);

-- Ended sessions that the session cache of the gateways may still hold. A row is deleted when its tombstone is written.
CREATE TABLE session_tombstones (
    token_hash bytea CONSTRAINT session_tombstones_pkey PRIMARY KEY,
    ended_at   timestamptz NOT NULL
);
CREATE INDEX session_tombstones_ended_at_idx ON session_tombstones (ended_at);
