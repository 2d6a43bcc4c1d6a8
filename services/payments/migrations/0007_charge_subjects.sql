-- A charge belongs to a purpose and an id, not only to an order. Existing charges pay for orders.
ALTER TABLE charges RENAME COLUMN order_id TO subject_id;
ALTER TABLE charges
    ADD COLUMN purpose text NOT NULL DEFAULT 'order' CONSTRAINT charges_purpose_known
        CHECK (purpose IN ('order', 'top_up', 'gift_card', 'company_card', 'debt')),
    DROP CONSTRAINT charges_one_per_order,
    ADD CONSTRAINT charges_one_per_subject UNIQUE (subject_id, purpose);
ALTER TABLE charges ALTER COLUMN purpose DROP DEFAULT;
COMMENT ON COLUMN charges.subject_id IS 'Id of the order, of the purchase of stored value, or of the recovery of a debt.';

-- Wallet payments have no saved payment method, and purchases are captured at once.
ALTER TABLE charges ADD COLUMN capture text CONSTRAINT charges_capture_known CHECK (capture IN ('later', 'now'));
UPDATE charges SET capture = 'later' WHERE provider_method_id IS NOT NULL;
ALTER TABLE charges
    DROP CONSTRAINT charges_method_kind_known,
    ADD CONSTRAINT charges_method_kind_known CHECK (method_kind IN ('card', 'bank', 'apple_pay', 'google_pay')),
    DROP CONSTRAINT charges_terms_complete,
    ADD CONSTRAINT charges_terms_complete CHECK (
        num_nulls(method_kind, provider_customer_id, provider_method_id, amount_minor_units, currency, capture) IN (0, 6)),
    ADD CONSTRAINT charges_saved_method CHECK (
        (payment_method_id IS NOT NULL) = (method_kind IS NOT NULL AND method_kind IN ('card', 'bank'))),
    DROP CONSTRAINT charges_tombstone_is_released,
    ADD CONSTRAINT charges_tombstone_is_released
        CHECK (provider_method_id IS NOT NULL OR (state = 'voided' AND target_state = 'released'));

-- What the charge pays for, as consumers see it: {"name": "Sunset & Maltman", "items": [{"name": "Latte", "quantity": 1}]}.
ALTER TABLE charges ADD COLUMN description jsonb;

-- Refunds of charges, full and in parts.
CREATE TABLE refunds (
    id                 uuid        NOT NULL CONSTRAINT refunds_pkey PRIMARY KEY,
    charge_id          uuid        NOT NULL CONSTRAINT refunds_charge_fkey REFERENCES charges (id),
    -- The caller's id, or 'release' for the refund of a released charge. NULL if the refund was created at the provider.
    request_id         text,
    amount_minor_units bigint      NOT NULL CONSTRAINT refunds_amount_positive CHECK (amount_minor_units > 0),
    provider_id        text        CONSTRAINT refunds_provider_id_key UNIQUE,
    -- Canceled: the debit was returned before it could be refunded.
    state              text        NOT NULL CONSTRAINT refunds_state_known
        CHECK (state IN ('planned', 'pending', 'succeeded', 'failed', 'canceled')),
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    CONSTRAINT refunds_one_per_request UNIQUE (charge_id, request_id),
    CONSTRAINT refunds_known_to_provider CHECK (state IN ('planned', 'canceled') OR provider_id IS NOT NULL)
);

ALTER TABLE charges ADD COLUMN refunded_minor_units bigint NOT NULL DEFAULT 0
    CONSTRAINT charges_refunded_range CHECK (refunded_minor_units >= 0 AND refunded_minor_units <= amount_minor_units);
COMMENT ON COLUMN charges.refunded_minor_units IS 'Refunds that the provider accepted, including those that failed later: their amount was added to JoePass.';
UPDATE charges SET refunded_minor_units = amount_minor_units WHERE state = 'refunded';

ALTER TABLE effects DROP CONSTRAINT effects_kind_known;
ALTER TABLE effects ADD CONSTRAINT effects_kind_known
    CHECK (kind IN ('capture', 'void', 'refund', 'refund_part', 'detach'));
COMMENT ON COLUMN effects.subject_id IS 'A refund if the kind is refund_part, a payment method if it is detach, otherwise a charge.';

-- Disputes of cardholders, and until when evidence can be sent.
CREATE TABLE disputes (
    provider_id        text        NOT NULL CONSTRAINT disputes_pkey PRIMARY KEY,
    charge_id          uuid        NOT NULL CONSTRAINT disputes_charge_fkey REFERENCES charges (id),
    amount_minor_units bigint      NOT NULL,
    reason             text        NOT NULL,
    -- As at the provider: needs_response, under_review, won, lost …
    status             text        NOT NULL,
    respond_by         timestamptz,
    opened_at          timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL
);
CREATE INDEX disputes_open ON disputes (respond_by) WHERE status IN ('needs_response', 'warning_needs_response');

-- Events of kinds that this service does not know are kept and have no effect.
ALTER TABLE provider_events ADD COLUMN is_applied boolean NOT NULL DEFAULT true;
