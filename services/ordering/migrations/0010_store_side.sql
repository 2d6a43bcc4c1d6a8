-- Orders of a store by promised time: its scheduled orders, and what it made on a day.
CREATE INDEX orders_store_ready_at_idx ON orders (store_id, ready_at)
    WHERE status NOT IN ('payment_pending', 'payment_failed');
