-- Renames a constraint and a system account to standard terms. No balance changes.
ALTER TABLE holds RENAME CONSTRAINT holds_closed_holds_nothing TO holds_amount_unless_closed;
UPDATE ledger.accounts SET kind = 'closed_accounts' WHERE id = '00000000-0000-0000-0000-000000000004';
