-- Renames columns, constraints, indexes and a system account to standard terms. No other data changes.
ALTER TABLE promos RENAME COLUMN most_claims TO max_claims;
ALTER TABLE promos RENAME COLUMN claimed TO claim_count;
ALTER TABLE promos RENAME CONSTRAINT promos_claimed_range TO promos_claim_count_range;
ALTER TABLE promos RENAME CONSTRAINT promos_code_form TO promos_code_format;
ALTER TABLE promos RENAME CONSTRAINT promos_one_kind TO promos_amount_or_rate;
ALTER TABLE promos RENAME CONSTRAINT promos_window TO promos_ends_after_start;

ALTER TABLE claims RENAME CONSTRAINT claims_closed_claims_nothing TO claims_discount_unless_closed;
ALTER INDEX claims_once_a_consumer RENAME TO claims_once_per_consumer;
ALTER INDEX claims_once_a_phone RENAME TO claims_once_per_phone;

ALTER TABLE messages RENAME CONSTRAINT messages_told_once TO messages_reference_unique;
ALTER TABLE consumers RENAME CONSTRAINT consumers_removed_are_forgotten TO consumers_removed_have_no_phone_hash;

UPDATE ledger.accounts SET kind = 'closed_accounts' WHERE id = '00000000-0000-0000-0000-000000000003';
