-- Limits a consumer's active orders: each has a slot, and no two active orders of a consumer have the same. Orders for as soon
-- as possible and scheduled orders have slots of their own.
ALTER TABLE orders ADD COLUMN active_slot integer;

UPDATE orders SET active_slot = numbered.slot
FROM (SELECT id AS order_id,
        row_number() OVER (PARTITION BY consumer_id, pickup_at IS NOT NULL ORDER BY created_at, id) AS slot
      FROM orders WHERE status IN ('payment_pending', 'scheduled', 'placed', 'accepted', 'preparing')) AS numbered
WHERE id = numbered.order_id;

CREATE UNIQUE INDEX orders_active_slot_key ON orders (consumer_id, (pickup_at IS NOT NULL), active_slot)
    WHERE status IN ('payment_pending', 'scheduled', 'placed', 'accepted', 'preparing');

-- When the consumer's time to authenticate the payment ends. Set when the order waits for the first time.
ALTER TABLE orders ADD COLUMN authenticate_by timestamptz;
UPDATE orders SET authenticate_by = lease_until WHERE status = 'payment_pending' AND client_secret <> '';
