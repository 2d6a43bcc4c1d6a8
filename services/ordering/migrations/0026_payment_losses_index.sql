-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_payment_loss_idx ON orders (id) WHERE payment_loss IS NOT NULL;
