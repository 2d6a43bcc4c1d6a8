-- Who may speak for a store, and which stores consumers like.

CREATE TABLE store_credentials (
    credential_id uuid        NOT NULL,
    -- SHA-256 of the secret; the secret itself has 256 random bits and is shown once.
    secret_hash   bytea       NOT NULL,
    label         text        NOT NULL,
    all_stores    boolean     NOT NULL,
    created_at    timestamptz NOT NULL,
    CONSTRAINT store_credentials_pkey PRIMARY KEY (credential_id),
    CONSTRAINT store_credentials_secret_unique UNIQUE (secret_hash),
    CONSTRAINT store_credentials_secret_length CHECK (octet_length(secret_hash) = 32)
);

CREATE TABLE store_credential_stores (
    credential_id uuid NOT NULL,
    store_id      uuid NOT NULL,
    CONSTRAINT store_credential_stores_pkey PRIMARY KEY (credential_id, store_id),
    CONSTRAINT store_credential_stores_credential_fkey FOREIGN KEY (credential_id) REFERENCES store_credentials ON DELETE CASCADE,
    CONSTRAINT store_credential_stores_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE
);
CREATE INDEX store_credential_stores_store_idx ON store_credential_stores (store_id);

CREATE TABLE favorites (
    consumer_id uuid        NOT NULL,
    store_id    uuid        NOT NULL,
    favored_at  timestamptz NOT NULL,
    CONSTRAINT favorites_pkey PRIMARY KEY (consumer_id, store_id),
    CONSTRAINT favorites_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE
);
CREATE INDEX favorites_store_idx ON favorites (store_id);

-- Consumers that are gone: what still arrives for them is dropped.
CREATE TABLE removed_consumers (
    consumer_id uuid        NOT NULL,
    removed_at  timestamptz NOT NULL,
    CONSTRAINT removed_consumers_pkey PRIMARY KEY (consumer_id)
);
