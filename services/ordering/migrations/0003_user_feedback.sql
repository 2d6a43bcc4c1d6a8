-- Feedback about the app, not about an order.
CREATE TABLE user_feedback (
    id          uuid CONSTRAINT user_feedback_pkey PRIMARY KEY,
    consumer_id uuid NOT NULL,
    message     text NOT NULL CONSTRAINT user_feedback_message_check CHECK (message <> ''),
    created_at  timestamptz NOT NULL
);

-- The limit per day, and removal.
CREATE INDEX user_feedback_consumer_idx ON user_feedback (consumer_id, created_at);
