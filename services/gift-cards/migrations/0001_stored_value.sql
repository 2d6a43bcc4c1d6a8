-- Where value comes from and goes to. The ids are fixed: ops/books.rs names them.
INSERT INTO ledger.accounts (id, kind, unit, opened_at) VALUES
    ('00000000-0000-0000-0000-000000000001', 'development', 'usd', now()),
    ('00000000-0000-0000-0000-000000000002', 'in_flight',   'usd', now()),
    ('00000000-0000-0000-0000-000000000003', 'sales',       'usd', now()),
    ('00000000-0000-0000-0000-000000000004', 'departed',    'usd', now());

-- Consumers we have met. The row of one who was removed stays, so that nothing late opens an account again.
CREATE TABLE consumers (
    consumer_id uuid NOT NULL,
    removed_at  timestamptz,
    CONSTRAINT consumers_pkey PRIMARY KEY (consumer_id)
);

-- What orders hold. At most one hold an order; a closed one was never held and never will be.
CREATE TABLE holds (
    order_id   uuid        NOT NULL,
    state      text        NOT NULL,
    balance_id uuid,
    amount     bigint,
    title      text,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    CONSTRAINT holds_pkey PRIMARY KEY (order_id),
    CONSTRAINT holds_state_known CHECK (state IN ('held', 'captured', 'released', 'refunded', 'closed')),
    CONSTRAINT holds_balance FOREIGN KEY (balance_id) REFERENCES ledger.balances (account_id),
    CONSTRAINT holds_amount_not_negative CHECK (amount >= 0),
    CONSTRAINT holds_closed_holds_nothing CHECK (
        (state = 'closed') = (balance_id IS NULL)
        AND (balance_id IS NULL) = (amount IS NULL)
        AND (balance_id IS NULL) = (title IS NULL)
    )
);
CREATE INDEX holds_held ON holds (balance_id) WHERE state = 'held';
