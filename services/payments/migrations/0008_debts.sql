-- When the order was made: a bank debit that is returned from then on is a debt.
ALTER TABLE charges ADD COLUMN fulfilled_at timestamptz;

-- What consumers owe because their bank returned a debit.
CREATE TABLE debts (
    id                      uuid        NOT NULL CONSTRAINT debts_pkey PRIMARY KEY,
    -- A returned payment is a debt once.
    charge_id               uuid        NOT NULL CONSTRAINT debts_one_per_charge UNIQUE
        CONSTRAINT debts_charge_fkey REFERENCES charges (id),
    consumer_id             uuid,
    -- Keyed hash of the phone number of a removed consumer. A new account with this number owes the debt.
    phone_hash              text,
    amount_minor_units      bigint      NOT NULL CONSTRAINT debts_amount_positive CHECK (amount_minor_units > 0),
    penalty_fee_minor_units bigint      NOT NULL CONSTRAINT debts_fee_not_negative CHECK (penalty_fee_minor_units >= 0),
    currency                text        NOT NULL,
    created_at              timestamptz NOT NULL,
    fee_waived_at           timestamptz,
    recovered_at            timestamptz
);
CREATE INDEX debts_open_by_consumer ON debts (consumer_id) WHERE recovered_at IS NULL;
CREATE INDEX debts_open_by_phone ON debts (phone_hash) WHERE recovered_at IS NULL AND phone_hash IS NOT NULL;

-- Attempts to recover debts. The id of an attempt is the subject of its charge.
CREATE TABLE debt_recoveries (
    id         uuid        NOT NULL CONSTRAINT debt_recoveries_pkey PRIMARY KEY,
    debt_id    uuid        NOT NULL CONSTRAINT debt_recoveries_debt_fkey REFERENCES debts (id),
    state      text        NOT NULL CONSTRAINT debt_recoveries_state_known
        CHECK (state IN ('in_flight', 'succeeded', 'failed')),
    created_at timestamptz NOT NULL,
    ended_at   timestamptz,
    CONSTRAINT debt_recoveries_ended CHECK ((state = 'in_flight') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX debt_recoveries_one_active ON debt_recoveries (debt_id) WHERE state IN ('in_flight', 'succeeded');
CREATE INDEX debt_recoveries_by_debt ON debt_recoveries (debt_id, created_at);
