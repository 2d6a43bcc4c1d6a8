-- Parts of captured holds that were returned to their balances.
CREATE TABLE order_refunds (
    order_id   uuid        NOT NULL,
    -- The id of the caller, unique for the order.
    refund_id  text        NOT NULL,
    amount     bigint      NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT order_refunds_pkey PRIMARY KEY (order_id, refund_id),
    CONSTRAINT order_refunds_amount_positive CHECK (amount > 0)
);
