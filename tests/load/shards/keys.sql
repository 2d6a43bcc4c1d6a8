-- Ordering with the consumer in each key, so that all rows of one order are on one shard. For `deploy/dev/simulate-shards`.
ALTER TABLE order_feedback DROP CONSTRAINT order_feedback_order_id_fkey;
ALTER TABLE order_history DROP CONSTRAINT order_history_order_id_fkey;
ALTER TABLE orders DROP CONSTRAINT orders_pkey, ADD PRIMARY KEY (consumer_id, id);
ALTER TABLE order_history ADD COLUMN consumer_id uuid NOT NULL, DROP CONSTRAINT order_history_pkey,
  ADD PRIMARY KEY (consumer_id, order_id, version);
ALTER TABLE idempotency ADD COLUMN consumer_id uuid NOT NULL, DROP CONSTRAINT idempotency_pkey,
  ADD PRIMARY KEY (consumer_id, scope, operation, key);
ALTER TABLE outbox ADD COLUMN consumer_id uuid NOT NULL, DROP CONSTRAINT outbox_pkey, DROP CONSTRAINT outbox_event_id_key,
  ADD PRIMARY KEY (consumer_id, event_id);
ALTER TABLE published_events ADD COLUMN consumer_id uuid NOT NULL, DROP CONSTRAINT published_events_pkey,
  ADD PRIMARY KEY (consumer_id, published_at, event_id);
