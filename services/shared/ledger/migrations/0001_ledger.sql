-- Double entry: every posting moves an amount from one account to another, so that all accounts together always
-- hold nothing. Accounts with an owner keep a balance; system accounts (sales, orders in flight, ...) keep none,
-- because a row that every order updates would make every order wait for every other.

create table ledger.accounts (
  id uuid not null,
  kind text not null,
  -- Whose it is; null for a system account.
  owner uuid,
  unit text not null,
  opened_at timestamptz not null,
  constraint accounts_pkey primary key (id),
  constraint accounts_one_per_owner unique nulls not distinct (kind, owner, unit),
  -- What postings refer to, so that none can mix units.
  constraint accounts_id_unit unique (id, unit),
  constraint accounts_unit_known check (unit in ('usd', 'points'))
);
create index accounts_by_owner on ledger.accounts (owner) where owner is not null;

create table ledger.balances (
  account_id uuid not null,
  balance bigint not null default 0,
  -- How many postings have touched the account: the number of its newest line.
  line bigint not null default 0,
  constraint balances_pkey primary key (account_id),
  constraint balances_account foreign key (account_id) references ledger.accounts (id)
) with (fillfactor = 70);

create table ledger.postings (
  id uuid not null,
  -- Stable and unique: the same movement asked for again finds itself here.
  reference text not null,
  from_account uuid not null,
  to_account uuid not null,
  unit text not null,
  amount bigint not null,
  kind text not null,
  explanation text not null,
  -- What it is about, in the words of the service: an order's id.
  subject uuid,
  at timestamptz not null,
  -- The line's number on each side and the balance after it; null for system accounts.
  from_line bigint,
  from_balance bigint,
  to_line bigint,
  to_balance bigint,
  constraint postings_pkey primary key (id),
  constraint postings_reference unique (reference),
  constraint postings_from foreign key (from_account, unit) references ledger.accounts (id, unit),
  constraint postings_to foreign key (to_account, unit) references ledger.accounts (id, unit),
  constraint postings_two_accounts check (from_account <> to_account),
  constraint postings_amount_positive check (amount > 0),
  constraint postings_explained check (explanation <> ''),
  constraint postings_from_line_whole check ((from_line is null) = (from_balance is null)),
  constraint postings_to_line_whole check ((to_line is null) = (to_balance is null))
);
create unique index postings_from_lines on ledger.postings (from_account, from_line desc) where from_line is not null;
create unique index postings_to_lines on ledger.postings (to_account, to_line desc) where to_line is not null;

-- What was posted stays posted; a mistake is corrected by another posting.
create function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'a posting is never changed or removed' using errcode = 'integrity_constraint_violation';
end $$;
create trigger postings_are_final before update or delete on ledger.postings
  for each row execute function ledger.refuse_change();
