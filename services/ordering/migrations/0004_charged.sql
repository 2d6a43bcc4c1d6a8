-- Whether money was taken for an order that ended without being completed: decided once, when it ends.
ALTER TABLE orders ADD COLUMN is_charged boolean NOT NULL DEFAULT false;

-- Orders that ended before: rejected or canceled after a store had accepted them, or paid by bank debit.
UPDATE orders SET is_charged = true
WHERE status IN ('cancelled', 'rejected') AND total > 0
  AND reason IN ('CONSUMER_CANCELLED', 'NOT_ACCEPTED', 'STORE_REJECTED')
  AND (tender = 'bank' OR EXISTS (SELECT FROM order_history AS change WHERE change.order_id = id AND change.status = 'accepted'));
