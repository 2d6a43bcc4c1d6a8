-- Set-up intents that consumers started, to limit card testing, and what they agreed to when they linked a bank account.
CREATE TABLE setup_intents (
    provider_id         text        NOT NULL CONSTRAINT setup_intents_pkey PRIMARY KEY,
    consumer_id         uuid        NOT NULL,
    kind                text        NOT NULL CONSTRAINT setup_intents_kind_known CHECK (kind IN ('card', 'bank')),
    -- The texts that were shown: authorization of debits, and the fee for returned debits.
    mandate_text        text,
    fee_consent_text    text,
    created_at          timestamptz NOT NULL,
    completed_at        timestamptz,
    payment_method_id   uuid        CONSTRAINT setup_intents_method_fkey REFERENCES payment_methods (id),
    -- The provider's record of the authorization.
    provider_mandate_id text,
    CONSTRAINT setup_intents_bank_has_texts
        CHECK (kind <> 'bank' OR (mandate_text IS NOT NULL AND fee_consent_text IS NOT NULL)),
    CONSTRAINT setup_intents_completed CHECK ((completed_at IS NULL) = (payment_method_id IS NULL))
);
CREATE INDEX setup_intents_by_consumer ON setup_intents (consumer_id, created_at);
