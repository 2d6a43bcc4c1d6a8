-- Orders that their consumer canceled: a notification about an earlier event of the order is not sent.
CREATE TABLE canceled_orders (
    -- As in notifications.
    order_id    text NOT NULL CONSTRAINT canceled_orders_pkey PRIMARY KEY,
    consumer_id uuid NOT NULL CONSTRAINT canceled_orders_consumer_id_fkey REFERENCES consumers (id) ON DELETE CASCADE,
    canceled_at timestamptz NOT NULL
);
CREATE INDEX canceled_orders_consumer_idx ON canceled_orders (consumer_id);
CREATE INDEX canceled_orders_canceled_at_idx ON canceled_orders (canceled_at);
