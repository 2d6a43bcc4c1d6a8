-- Freezes of automatic reloads after the phone or a payment method changed. A consumer who has no rule yet is frozen as well.
CREATE TABLE auto_reload_freezes (
    consumer_id  uuid        NOT NULL,
    frozen_until timestamptz NOT NULL,
    CONSTRAINT auto_reload_freezes_pkey PRIMARY KEY (consumer_id)
);
CREATE INDEX auto_reload_freezes_ended ON auto_reload_freezes (frozen_until);
