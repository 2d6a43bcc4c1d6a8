-- Sign-in of the staff of stores.

CREATE TABLE staff_pins (
    store_id   uuid        NOT NULL,
    -- Upper case. Typed by the staff together with the PIN.
    store_code text        NOT NULL,
    -- Argon2id, in PHC format.
    pin_hash   text        NOT NULL,
    changed_at timestamptz NOT NULL,
    CONSTRAINT staff_pins_pkey PRIMARY KEY (store_id),
    CONSTRAINT staff_pins_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT staff_pins_store_code_unique UNIQUE (store_code),
    CONSTRAINT staff_pins_store_code_length CHECK (length(store_code) BETWEEN 4 AND 32)
);

CREATE TABLE staff_sessions (
    session_id uuid        NOT NULL,
    store_id   uuid        NOT NULL,
    -- SHA-256 of the token, which has 256 random bits.
    token_hash bytea       NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT staff_sessions_pkey PRIMARY KEY (session_id),
    CONSTRAINT staff_sessions_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT staff_sessions_token_unique UNIQUE (token_hash),
    CONSTRAINT staff_sessions_token_length CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX staff_sessions_store_idx ON staff_sessions (store_id);
CREATE INDEX staff_sessions_expires_idx ON staff_sessions (expires_at);

-- Attempts without success, also for codes that do not exist.
CREATE TABLE staff_attempts (
    attempt_id     uuid        NOT NULL,
    store_code     text        NOT NULL,
    client_address text        NOT NULL,
    attempted_at   timestamptz NOT NULL,
    CONSTRAINT staff_attempts_pkey PRIMARY KEY (attempt_id)
);
CREATE INDEX staff_attempts_code_idx ON staff_attempts (store_code, attempted_at);
CREATE INDEX staff_attempts_address_idx ON staff_attempts (client_address, attempted_at);
CREATE INDEX staff_attempts_attempted_idx ON staff_attempts (attempted_at);
