-- Feedback about an order, once. Deleted with the consumer.
CREATE TABLE order_feedback (
    order_id      uuid CONSTRAINT order_feedback_pkey PRIMARY KEY
                  CONSTRAINT order_feedback_order_id_fkey REFERENCES orders (id),
    consumer_id   uuid NOT NULL,
    rating        smallint NOT NULL CONSTRAINT order_feedback_rating_check CHECK (rating BETWEEN 1 AND 5),
    -- 1 for yes, -1 for no, 0 if unanswered.
    order_ready   smallint NOT NULL CONSTRAINT order_feedback_order_ready_check CHECK (order_ready IN (-1, 0, 1)),
    order_correct smallint NOT NULL CONSTRAINT order_feedback_order_correct_check CHECK (order_correct IN (-1, 0, 1)),
    message       text NOT NULL,
    created_at    timestamptz NOT NULL
);

-- Removal.
CREATE INDEX order_feedback_consumer_idx ON order_feedback (consumer_id);

-- The time that was promised first, set when the store delays the order: ready_at then has the new time.
ALTER TABLE orders ADD COLUMN first_ready_at timestamptz;
ALTER TABLE orders ADD COLUMN delay_reason text NOT NULL DEFAULT '';
-- When the order was ready.
ALTER TABLE orders ADD COLUMN made_at timestamptz;

UPDATE orders SET made_at = change.at
FROM order_history AS change WHERE change.order_id = id AND change.status = 'ready';

-- The new promised time of a delay, which does not change the status.
ALTER TABLE order_history ADD COLUMN ready_at timestamptz;
