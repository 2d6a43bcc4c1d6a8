-- Where the consumer placed the order: in a browser or in the native app.
ALTER TABLE orders
    ADD COLUMN journey_step text NOT NULL DEFAULT 'web'
        CONSTRAINT orders_journey_step_check CHECK (journey_step IN ('web', 'app'));
