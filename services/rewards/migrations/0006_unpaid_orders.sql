-- Whether the payment of the order was lost. Such an order earns no points.
ALTER TABLE order_points ADD COLUMN is_unpaid boolean NOT NULL DEFAULT false;
