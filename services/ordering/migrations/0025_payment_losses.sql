-- How the payment of an order was lost while the order was being placed. Until the loss is handled.
ALTER TABLE orders ADD COLUMN payment_loss text
    CONSTRAINT orders_payment_loss_check CHECK (payment_loss IN ('hold_expired', 'returned', 'capture_failed'));
