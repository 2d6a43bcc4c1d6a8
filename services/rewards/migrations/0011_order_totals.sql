-- What the consumer paid, with tax and tip; null for orders that were completed before this version.
ALTER TABLE order_points ADD COLUMN total bigint;
