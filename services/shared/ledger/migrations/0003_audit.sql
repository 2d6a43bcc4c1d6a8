-- Progress of the incremental audit, and an index for the postings of an order.
CREATE TABLE ledger.audited_accounts (
  account_id uuid NOT NULL,
  -- Newest line that was checked, and the balance after it.
  line bigint NOT NULL,
  balance bigint NOT NULL,
  CONSTRAINT audited_accounts_pkey PRIMARY KEY (account_id),
  CONSTRAINT audited_accounts_account FOREIGN KEY (account_id) REFERENCES ledger.accounts (id)
);

CREATE TABLE ledger.audit_progress (
  is_only_row boolean NOT NULL DEFAULT true,
  -- Start of the newest audit without findings.
  audited_at timestamptz NOT NULL,
  CONSTRAINT audit_progress_pkey PRIMARY KEY (is_only_row),
  CONSTRAINT audit_progress_one_row CHECK (is_only_row)
);

CREATE INDEX postings_by_subject ON ledger.postings (subject) WHERE subject IS NOT NULL;
