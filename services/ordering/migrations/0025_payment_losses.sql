-- How the payment of an order was lost while the order was being placed (`PaymentLoss`), until the loss is handled.
ALTER TABLE orders ADD COLUMN payment_loss text;
