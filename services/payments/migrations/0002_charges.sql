-- One charge an order, ever: the unique order_id is what makes authorising idempotent, and what a tombstone
-- (a row without terms) holds against a charge that comes late.
CREATE TABLE charges (
    id                 uuid        NOT NULL CONSTRAINT charges_pkey PRIMARY KEY,
    order_id           uuid        NOT NULL CONSTRAINT charges_one_per_order UNIQUE,
    -- The terms, fixed when the row is written: a retry sends the provider the very same request.
    consumer_id        uuid,
    payment_method_id  uuid        CONSTRAINT charges_method_fkey REFERENCES payment_methods (id),
    method_kind        text        CONSTRAINT charges_method_kind_known CHECK (method_kind IN ('card', 'bank')),
    provider_customer  text,
    provider_method    text,
    amount_minor_units bigint      CONSTRAINT charges_amount_positive CHECK (amount_minor_units > 0),
    currency           text,
    -- What is known of the provider's side.
    provider_id        text        CONSTRAINT charges_provider_id_key UNIQUE,
    state              text        NOT NULL CONSTRAINT charges_state_known CHECK (state IN (
        'pending', 'requires_action', 'authorized', 'processing', 'succeeded',
        'declined', 'voided', 'returned', 'disputed', 'refunded')),
    decline_reason     text,
    decline_message    text,
    -- What the order wants of it; only ever moves from hold to capture to release.
    wanted             text        NOT NULL CONSTRAINT charges_wanted_known
        CHECK (wanted IN ('hold', 'capture', 'release')),
    version            bigint      NOT NULL DEFAULT 1,
    -- Who asks the provider now, and how often it has been asked before.
    attempt_until      timestamptz,
    attempts           integer     NOT NULL DEFAULT 0,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    -- When the provider was last asked of our own accord, in case its webhook was lost.
    looked_at          timestamptz,
    CONSTRAINT charges_terms_whole CHECK (
        num_nulls(payment_method_id, method_kind, provider_customer, provider_method, amount_minor_units, currency)
            IN (0, 6)),
    CONSTRAINT charges_tombstone_is_closed
        CHECK (payment_method_id IS NOT NULL OR (state = 'voided' AND wanted = 'release')),
    CONSTRAINT charges_decline_has_reason CHECK ((state = 'declined') = (decline_reason IS NOT NULL))
);

CREATE INDEX charges_by_consumer ON charges (consumer_id);
CREATE INDEX charges_undecided ON charges (updated_at) WHERE state IN ('pending', 'requires_action', 'processing');

-- Calls to the provider that must happen: carried out by a worker, each under a stable idempotency key.
CREATE TABLE effects (
    -- A charge; a payment method for `detach`; a consumer for `attach_test_card`.
    subject    uuid        NOT NULL,
    kind       text        NOT NULL CONSTRAINT effects_kind_known
        CHECK (kind IN ('capture', 'void', 'refund', 'detach', 'attach_test_card')),
    state      text        NOT NULL DEFAULT 'planned' CONSTRAINT effects_state_known
        CHECK (state IN ('planned', 'done', 'gave_up')),
    attempts   integer     NOT NULL DEFAULT 0,
    -- Part of the idempotency key. Grows only after the provider answered with an error of its own, since it
    -- repeats that answer for as long as it keeps the key.
    key_series integer     NOT NULL DEFAULT 0,
    -- When it is next to be tried; a claim moves it ahead, and that is the lease.
    due_at     timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT effects_pkey PRIMARY KEY (subject, kind)
);

CREATE INDEX effects_due ON effects (due_at) WHERE state = 'planned';

-- The provider's events already taken in.
CREATE TABLE provider_events (
    id          text        NOT NULL CONSTRAINT provider_events_pkey PRIMARY KEY,
    type        text        NOT NULL,
    received_at timestamptz NOT NULL
);
