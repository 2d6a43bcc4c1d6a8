-- Renames columns, values and constraints to standard terms. No data is lost, except planned test cards: the seed no
-- longer plans them here.

ALTER TABLE charges RENAME COLUMN wanted TO target_state;
ALTER TABLE charges RENAME COLUMN attempt_until TO attempt_lease_until;
ALTER TABLE charges RENAME COLUMN looked_at TO reconciled_at;
ALTER TABLE charges RENAME COLUMN provider_customer TO provider_customer_id;
ALTER TABLE charges RENAME COLUMN provider_method TO provider_method_id;
ALTER TABLE charges RENAME CONSTRAINT charges_terms_whole TO charges_terms_complete;
ALTER TABLE charges DROP CONSTRAINT charges_wanted_known, DROP CONSTRAINT charges_tombstone_is_closed;
UPDATE charges SET target_state = CASE target_state
    WHEN 'hold' THEN 'authorized' WHEN 'capture' THEN 'captured' WHEN 'release' THEN 'released' END;
ALTER TABLE charges
    ADD CONSTRAINT charges_target_state_known CHECK (target_state IN ('authorized', 'captured', 'released')),
    ADD CONSTRAINT charges_tombstone_is_released
        CHECK (payment_method_id IS NOT NULL OR (state = 'voided' AND target_state = 'released'));
COMMENT ON COLUMN charges.target_state IS 'The state that the charge shall reach: only moves from authorized to captured to released.';
COMMENT ON COLUMN charges.attempt_lease_until IS 'While it is in the future, one task is sending the authorization to the provider.';
COMMENT ON COLUMN charges.reconciled_at IS 'When the state was last fetched from the provider because no webhook had arrived.';

DELETE FROM effects WHERE kind = 'attach_test_card';
ALTER TABLE effects RENAME COLUMN subject TO subject_id;
ALTER TABLE effects RENAME COLUMN key_series TO key_version;
ALTER TABLE effects DROP CONSTRAINT effects_kind_known, DROP CONSTRAINT effects_state_known;
UPDATE effects SET state = 'failed' WHERE state = 'gave_up';
ALTER TABLE effects
    ADD CONSTRAINT effects_kind_known CHECK (kind IN ('capture', 'void', 'refund', 'detach')),
    ADD CONSTRAINT effects_state_known CHECK (state IN ('planned', 'done', 'failed'));
COMMENT ON COLUMN effects.subject_id IS 'A payment method if the kind is detach, otherwise a charge.';
COMMENT ON COLUMN effects.key_version IS 'Part of the idempotency key. Increases when the provider responded with an error, which it would repeat for the same key.';

ALTER TABLE payment_methods RENAME CONSTRAINT payment_methods_last4_short TO payment_methods_last4_length;
ALTER TABLE payment_methods RENAME CONSTRAINT payment_methods_card_expires TO payment_methods_card_has_expiry;
ALTER TABLE payment_methods
    RENAME CONSTRAINT payment_methods_detached_is_no_default TO payment_methods_detached_not_default;
ALTER TABLE provider_customers
    RENAME CONSTRAINT provider_customers_known_or_removed TO provider_customers_id_or_removed;
