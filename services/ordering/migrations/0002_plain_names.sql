-- Renames that keep all data.
ALTER TABLE order_history RENAME COLUMN by_whom TO actor;
ALTER TABLE order_history RENAME CONSTRAINT order_history_by_whom_check TO order_history_actor_check;

UPDATE orders
SET reason = renamed.new_reason
FROM (VALUES
    ('PAYMENT_LAPSED', 'PAYMENT_HOLD_EXPIRED'),
    ('PRICE_MOVED', 'PRICE_CHANGED'),
    ('PROMISE_MOVED', 'ETA_CHANGED'),
    ('RESERVATION_ELSEWHERE', 'RESERVATION_MISMATCH'),
    ('SLOT_GONE', 'SLOT_UNAVAILABLE')
) AS renamed (old_reason, new_reason)
WHERE reason = renamed.old_reason;
