-- Debts follow the phone number from a removed consumer to the next one, in whichever order the events of both arrive.

-- The keyed hash of the phone number of each registered consumer.
CREATE TABLE consumer_phones (
    consumer_id uuid NOT NULL CONSTRAINT consumer_phones_pkey PRIMARY KEY,
    phone_hash  text NOT NULL
);
CREATE INDEX consumer_phones_by_hash ON consumer_phones (phone_hash, consumer_id);

-- Bank debits of removed consumers that can still be returned, with the keyed hash of the phone number. Without a foreign key, which
-- would lock `charges` here.
CREATE TABLE charge_phone_hashes (
    charge_id  uuid        NOT NULL CONSTRAINT charge_phone_hashes_pkey PRIMARY KEY,
    phone_hash text        NOT NULL,
    -- Banks return no debits from then on.
    expires_at timestamptz NOT NULL
);
CREATE INDEX charge_phone_hashes_by_expiry ON charge_phone_hashes (expires_at);

-- A debt below the provider's minimum of 50 cents cannot be paid with a card. It is written off and blocks no one.
ALTER TABLE debts ADD COLUMN written_off_at timestamptz;
UPDATE debts SET written_off_at = now()
WHERE recovered_at IS NULL AND amount_minor_units + penalty_fee_minor_units < 50;

-- The hash is kept while the debt is open.
UPDATE debts SET phone_hash = NULL WHERE recovered_at IS NOT NULL OR written_off_at IS NOT NULL;
