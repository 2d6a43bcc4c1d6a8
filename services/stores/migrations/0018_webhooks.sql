-- Outgoing webhooks: companies subscribe to the events of the orders of their stores.

CREATE TABLE webhook_subscriptions (
    subscription_id       uuid        NOT NULL,
    company_id            uuid        NOT NULL,
    url                   text        NOT NULL,
    event_kinds           text[]      NOT NULL,
    -- Signs every delivery. Stored as it is, because a signature needs it.
    secret                bytea       NOT NULL,
    -- Signs as well until the end of the overlap, so that receivers can change their secret at any time in between.
    previous_secret       bytea,
    previous_secret_until timestamptz,
    -- Deliveries of a paused subscription wait.
    paused                boolean     NOT NULL DEFAULT false,
    created_at            timestamptz NOT NULL,
    CONSTRAINT webhook_subscriptions_pkey PRIMARY KEY (subscription_id),
    CONSTRAINT webhook_subscriptions_company_fkey FOREIGN KEY (company_id) REFERENCES companies,
    CONSTRAINT webhook_subscriptions_url_unique UNIQUE (company_id, url),
    CONSTRAINT webhook_subscriptions_url_length CHECK (length(url) BETWEEN 1 AND 2000),
    CONSTRAINT webhook_subscriptions_event_kinds_count CHECK (cardinality(event_kinds) > 0),
    CONSTRAINT webhook_subscriptions_secret_length CHECK (octet_length(secret) = 32),
    CONSTRAINT webhook_subscriptions_previous_secret_ends
        CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);

CREATE TABLE webhook_deliveries (
    delivery_id     uuid        NOT NULL,
    subscription_id uuid        NOT NULL,
    event_id        uuid        NOT NULL,
    event_kind      text        NOT NULL,
    -- The exact text that is signed and sent.
    payload         text        NOT NULL,
    state           text        NOT NULL DEFAULT 'pending',
    attempts        integer     NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL,
    -- A worker that leased the delivery sends it until then.
    leased_until    timestamptz,
    -- A failed attempt after this time is the last one.
    retry_until     timestamptz NOT NULL,
    -- Status of the newest response; null after a timeout or a connection error.
    response_status integer,
    last_error      text,
    created_at      timestamptz NOT NULL,
    finished_at     timestamptz,
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (delivery_id),
    CONSTRAINT webhook_deliveries_subscription_fkey
        FOREIGN KEY (subscription_id) REFERENCES webhook_subscriptions ON DELETE CASCADE,
    CONSTRAINT webhook_deliveries_event_unique UNIQUE (subscription_id, event_id),
    CONSTRAINT webhook_deliveries_state_known CHECK (state IN ('pending', 'delivered', 'failed')),
    CONSTRAINT webhook_deliveries_finished_when_done CHECK ((state = 'pending') = (finished_at IS NULL))
);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (subscription_id, next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_finished_idx ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX webhook_deliveries_failed_idx ON webhook_deliveries (subscription_id, created_at) WHERE state = 'failed';
