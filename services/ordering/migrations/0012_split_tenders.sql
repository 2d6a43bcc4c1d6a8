-- Stored value can pay a part of an order, before a card or a wallet pays the rest. Orders that stored value pays in full keep
-- the balance in payment_method_id.
ALTER TABLE orders
    ADD COLUMN stored_value_amount bigint NOT NULL DEFAULT 0,
    ADD COLUMN stored_value_balance_id text NOT NULL DEFAULT '',
    -- Name of the balance that pays the order or a part of it: "JoePass", "Gift card". Empty for orders placed before.
    ADD COLUMN stored_value_name text NOT NULL DEFAULT '',
    ADD CONSTRAINT orders_stored_value_check CHECK (
        stored_value_amount = 0 AND stored_value_balance_id = ''
        OR stored_value_amount > 0 AND stored_value_amount < total AND tender IN ('card', 'apple', 'google'));
