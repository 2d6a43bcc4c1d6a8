-- Refunds of parts of completed orders.
CREATE TABLE order_refunds (
    order_id            uuid        NOT NULL,
    -- The id of the operator, unique for the order.
    refund_id           text        NOT NULL,
    currency            text        NOT NULL,
    charge_amount       bigint      NOT NULL,
    stored_value_amount bigint      NOT NULL,
    created_at          timestamptz NOT NULL,
    -- Null until payments and gift-cards have accepted their parts.
    completed_at        timestamptz,
    CONSTRAINT order_refunds_pkey PRIMARY KEY (order_id, refund_id),
    CONSTRAINT order_refunds_amounts_check CHECK (
        charge_amount >= 0 AND stored_value_amount >= 0 AND charge_amount + stored_value_amount > 0
    )
);
CREATE INDEX order_refunds_open ON order_refunds (created_at) WHERE completed_at IS NULL;
