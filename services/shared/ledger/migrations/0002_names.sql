-- Renames constraints, the trigger and its function to standard terms. No data changes.
ALTER TABLE ledger.postings RENAME CONSTRAINT postings_two_accounts TO postings_accounts_differ;
ALTER TABLE ledger.postings RENAME CONSTRAINT postings_explained TO postings_explanation_not_empty;
ALTER TABLE ledger.postings RENAME CONSTRAINT postings_from_line_whole TO postings_from_line_with_balance;
ALTER TABLE ledger.postings RENAME CONSTRAINT postings_to_line_whole TO postings_to_line_with_balance;

DROP TRIGGER postings_are_final ON ledger.postings;
DROP FUNCTION ledger.refuse_change();
CREATE FUNCTION ledger.reject_change() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'postings cannot be changed or deleted' USING errcode = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER postings_append_only BEFORE UPDATE OR DELETE ON ledger.postings
  FOR EACH ROW EXECUTE FUNCTION ledger.reject_change();
