-- The events of charges, for the audit: the outbox deletes the events that it has published.
CREATE TABLE charge_events (
    charge_id          uuid        NOT NULL CONSTRAINT charge_events_charge_fkey REFERENCES charges (id),
    -- Version of the charge.
    version            bigint      NOT NULL,
    kind               text        NOT NULL CONSTRAINT charge_events_kind_known
        CHECK (kind IN ('authorized', 'declined', 'settled', 'returned', 'refunded', 'refund_failed', 'capture_failed',
                        'disputed', 'debt_created', 'debt_recovered')),
    amount_minor_units bigint      NOT NULL,
    created_at         timestamptz NOT NULL,
    CONSTRAINT charge_events_pkey PRIMARY KEY (charge_id, version)
);

ALTER TABLE charges ADD COLUMN has_events boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN charges.has_events IS 'Whether charge_events has all events of the charge. Charges of earlier releases are not audited.';
CREATE INDEX charges_updated ON charges (updated_at) WHERE has_events;

CREATE TABLE audit_progress (
    is_only_row boolean     NOT NULL DEFAULT true,
    -- Start of the newest audit without findings.
    audited_at  timestamptz NOT NULL,
    CONSTRAINT audit_progress_pkey PRIMARY KEY (is_only_row),
    CONSTRAINT audit_progress_one_row CHECK (is_only_row)
);
