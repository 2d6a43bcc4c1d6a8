-- Wrong promo codes that consumers typed, to limit guessing.
CREATE TABLE promo_failures (
    consumer_id uuid        NOT NULL,
    -- SHA-256 of the normalized code, which may be another secret, for example the code of a gift card.
    code_hash   bytea       NOT NULL,
    failed_at   timestamptz NOT NULL,
    CONSTRAINT promo_failures_pkey PRIMARY KEY (consumer_id, code_hash)
);
CREATE INDEX promo_failures_by_time ON promo_failures (failed_at);
