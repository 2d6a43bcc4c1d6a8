-- The store queue: new orders first, then orders in the making, then orders that are ready. Replaces the index by start
-- only, which also served queries by store.
CREATE INDEX orders_store_queue_rank_idx
    ON orders (store_id, (CASE status WHEN 'placed' THEN 0 WHEN 'ready' THEN 2 ELSE 1 END), start_at, id)
    WHERE status IN ('placed', 'accepted', 'preparing', 'ready');
DROP INDEX orders_store_queue_idx;

-- Orders that were left ready complete some time after their promised time.
CREATE INDEX orders_ready_idx ON orders (ready_at) WHERE status = 'ready';
