-- Double entry: every posting moves an amount from one account to another, so that all accounts together always
-- hold nothing. Accounts with an owner keep a balance; system accounts (sales, orders in flight, ...) keep none,
-- because a row that every order updates would make every order wait for every other.

CREATE TABLE ledger.accounts (
  id uuid NOT NULL,
  kind text NOT NULL,
  -- Whose it is; null for a system account.
  owner uuid,
  unit text NOT NULL,
  opened_at timestamptz NOT NULL,
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_one_per_owner UNIQUE NULLS NOT DISTINCT (kind, owner, unit),
  -- What postings refer to, so that none can mix units.
  CONSTRAINT accounts_id_unit UNIQUE (id, unit),
  CONSTRAINT accounts_unit_known CHECK (unit IN ('usd', 'points'))
);
CREATE INDEX accounts_by_owner ON ledger.accounts (owner) WHERE owner IS NOT NULL;

CREATE TABLE ledger.balances (
  account_id uuid NOT NULL,
  balance bigint NOT NULL DEFAULT 0,
  -- How many postings have touched the account: the number of its newest line.
  line bigint NOT NULL DEFAULT 0,
  CONSTRAINT balances_pkey PRIMARY KEY (account_id),
  CONSTRAINT balances_account FOREIGN KEY (account_id) REFERENCES ledger.accounts (id)
) WITH (fillfactor = 70);

CREATE TABLE ledger.postings (
  id uuid NOT NULL,
  -- Stable and unique: the same movement asked for again finds itself here.
  reference text NOT NULL,
  from_account uuid NOT NULL,
  to_account uuid NOT NULL,
  unit text NOT NULL,
  amount bigint NOT NULL,
  kind text NOT NULL,
  explanation text NOT NULL,
  -- What it is about, in the words of the service: an order's id.
  subject uuid,
  at timestamptz NOT NULL,
  -- The line's number on each side and the balance after it; null for system accounts.
  from_line bigint,
  from_balance bigint,
  to_line bigint,
  to_balance bigint,
  CONSTRAINT postings_pkey PRIMARY KEY (id),
  CONSTRAINT postings_reference UNIQUE (reference),
  CONSTRAINT postings_from FOREIGN KEY (from_account, unit) REFERENCES ledger.accounts (id, unit),
  CONSTRAINT postings_to FOREIGN KEY (to_account, unit) REFERENCES ledger.accounts (id, unit),
  CONSTRAINT postings_two_accounts CHECK (from_account <> to_account),
  CONSTRAINT postings_amount_positive CHECK (amount > 0),
  CONSTRAINT postings_explained CHECK (explanation <> ''),
  CONSTRAINT postings_from_line_whole CHECK ((from_line IS NULL) = (from_balance IS NULL)),
  CONSTRAINT postings_to_line_whole CHECK ((to_line IS NULL) = (to_balance IS NULL))
);
CREATE UNIQUE INDEX postings_from_lines ON ledger.postings (from_account, from_line DESC) WHERE from_line IS NOT NULL;
CREATE UNIQUE INDEX postings_to_lines ON ledger.postings (to_account, to_line DESC) WHERE to_line IS NOT NULL;

-- What was posted stays posted; a mistake is corrected by another posting.
CREATE FUNCTION ledger.refuse_change() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a posting is never changed or removed' USING errcode = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER postings_are_final BEFORE UPDATE OR DELETE ON ledger.postings
  FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
