-- Where the session runs: in a browser or in the native app.
ALTER TABLE sessions
    ADD COLUMN journey_step text NOT NULL DEFAULT 'web'
        CONSTRAINT sessions_journey_step_check CHECK (journey_step IN ('web', 'app'));

-- Single-use codes that another client exchanges for a session of the same consumer. Only the hash is kept.
CREATE TABLE hand_over_codes (
    code_hash    bytea CONSTRAINT hand_over_codes_pkey PRIMARY KEY,
    -- The session that created the code. Its end makes the code invalid.
    session_id   uuid NOT NULL
        CONSTRAINT hand_over_codes_session_id_fkey REFERENCES sessions (id) ON DELETE CASCADE,
    journey_step text NOT NULL
        CONSTRAINT hand_over_codes_journey_step_check CHECK (journey_step IN ('web', 'app')),
    expires_at   timestamptz NOT NULL
);
CREATE INDEX hand_over_codes_session_idx ON hand_over_codes (session_id);
CREATE INDEX hand_over_codes_expires_at_idx ON hand_over_codes (expires_at);
