-- The audit of money compares the orders that changed with their charges and holds. It compares times of this database's clock only.
ALTER TABLE order_history ADD COLUMN recorded_at timestamptz NOT NULL DEFAULT now();

CREATE TABLE money_audit (
    is_only_row   boolean     NOT NULL DEFAULT true,
    -- Changes before this time were audited. Null before the first audit, which compares all orders.
    audited_until timestamptz,
    -- The time of the next audit. While an audit runs, its lease.
    due_at        timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT money_audit_pkey PRIMARY KEY (is_only_row),
    CONSTRAINT money_audit_one_row CHECK (is_only_row)
);
INSERT INTO money_audit DEFAULT VALUES;

-- Differences that the newest audit of their order found. The next audit compares these orders again.
CREATE TABLE money_differences (
    order_id uuid        NOT NULL,
    kind     text        NOT NULL,
    found_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT money_differences_pkey PRIMARY KEY (order_id, kind)
);
