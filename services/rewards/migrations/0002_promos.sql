-- Codes that take something off an order.
CREATE TABLE promos (
    code                text        NOT NULL,
    -- One of the two: cents off, or parts per million off.
    amount              bigint,
    rate_ppm            bigint,
    minimum             bigint      NOT NULL DEFAULT 0,
    once                boolean     NOT NULL,
    starts_at           timestamptz NOT NULL,
    ends_at             timestamptz,
    -- How many orders may claim it in all; null for any number. Those that may are counted in `claimed`.
    most_claims         bigint,
    claimed             bigint      NOT NULL DEFAULT 0,
    CONSTRAINT promos_pkey PRIMARY KEY (code),
    CONSTRAINT promos_code_form CHECK (code ~ '^[A-Z0-9]{3,24}$'),
    CONSTRAINT promos_one_kind CHECK ((amount IS NULL) <> (rate_ppm IS NULL)),
    CONSTRAINT promos_amount_positive CHECK (amount > 0),
    CONSTRAINT promos_rate_range CHECK (rate_ppm BETWEEN 1 AND 1000000),
    CONSTRAINT promos_minimum_not_negative CHECK (minimum >= 0),
    CONSTRAINT promos_window CHECK (ends_at > starts_at),
    CONSTRAINT promos_claimed_range CHECK (claimed >= 0 AND claimed <= most_claims)
);

-- What orders claim. At most one claim an order; a closed one never was and never will be.
CREATE TABLE claims (
    order_id    uuid        NOT NULL,
    state       text        NOT NULL,
    code        text,
    -- Gone once the consumer was removed.
    consumer_id uuid,
    phone_hash  text,
    subtotal    bigint,
    amount      bigint,
    once        boolean     NOT NULL DEFAULT false,
    created_at  timestamptz NOT NULL,
    changed_at  timestamptz NOT NULL,
    CONSTRAINT claims_pkey PRIMARY KEY (order_id),
    CONSTRAINT claims_state_known CHECK (state IN ('claimed', 'released', 'closed')),
    CONSTRAINT claims_promo FOREIGN KEY (code) REFERENCES promos (code),
    CONSTRAINT claims_amount_range CHECK (amount BETWEEN 0 AND subtotal),
    CONSTRAINT claims_closed_claims_nothing CHECK (
        (state = 'closed') = (code IS NULL)
        AND (code IS NULL) = (amount IS NULL)
        AND (code IS NULL) = (subtotal IS NULL)
    )
);
-- Once is once: for a consumer, and for whoever has that phone number.
CREATE UNIQUE INDEX claims_once_a_consumer ON claims (code, consumer_id) WHERE once AND state = 'claimed';
CREATE UNIQUE INDEX claims_once_a_phone ON claims (code, phone_hash) WHERE once AND state = 'claimed';
CREATE INDEX claims_by_consumer ON claims (consumer_id);
