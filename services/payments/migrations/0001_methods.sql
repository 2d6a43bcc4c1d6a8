-- One customer at the provider for each consumer. A row without provider_id is the tombstone of a consumer who was
-- removed before ever having one.
CREATE TABLE provider_customers (
    consumer_id uuid        NOT NULL CONSTRAINT provider_customers_pkey PRIMARY KEY,
    provider_id text        CONSTRAINT provider_customers_provider_id_key UNIQUE,
    created_at  timestamptz NOT NULL,
    removed_at  timestamptz,
    CONSTRAINT provider_customers_known_or_removed CHECK (provider_id IS NOT NULL OR removed_at IS NOT NULL)
);

-- References to the provider's payment methods, and what a person needs to tell them apart. Never a card number.
CREATE TABLE payment_methods (
    id               uuid        NOT NULL CONSTRAINT payment_methods_pkey PRIMARY KEY,
    consumer_id      uuid        NOT NULL
        CONSTRAINT payment_methods_consumer_fkey REFERENCES provider_customers (consumer_id),
    provider_id      text        NOT NULL CONSTRAINT payment_methods_provider_id_key UNIQUE,
    kind             text        NOT NULL CONSTRAINT payment_methods_kind_known CHECK (kind IN ('card', 'bank')),
    institution_name text        NOT NULL,
    last4            text        NOT NULL CONSTRAINT payment_methods_last4_short CHECK (length(last4) <= 4),
    exp_month        smallint    CONSTRAINT payment_methods_exp_month_range CHECK (exp_month BETWEEN 1 AND 12),
    exp_year         smallint,
    account_type     text        NOT NULL,
    is_default       boolean     NOT NULL DEFAULT false,
    version          bigint      NOT NULL DEFAULT 1,
    created_at       timestamptz NOT NULL,
    detached_at      timestamptz,
    CONSTRAINT payment_methods_card_expires
        CHECK (kind <> 'card' OR (exp_month IS NOT NULL AND exp_year IS NOT NULL)),
    CONSTRAINT payment_methods_detached_is_no_default CHECK (detached_at IS NULL OR NOT is_default)
);

CREATE INDEX payment_methods_by_consumer ON payment_methods (consumer_id) WHERE detached_at IS NULL;
CREATE UNIQUE INDEX payment_methods_one_default ON payment_methods (consumer_id) WHERE is_default;
