-- What consumers are told.
CREATE TABLE messages (
    message_id  uuid        NOT NULL,
    consumer_id uuid        NOT NULL,
    -- What it tells: one message for each, however often that is heard.
    reference   text        NOT NULL,
    kind        text        NOT NULL,
    title       text        NOT NULL,
    body        text        NOT NULL,
    order_id    uuid,
    created_at  timestamptz NOT NULL,
    seen_at     timestamptz,
    -- Removed from the inbox; the row stays so that the same thing is not told again.
    removed_at  timestamptz,
    CONSTRAINT messages_pkey PRIMARY KEY (message_id),
    CONSTRAINT messages_told_once UNIQUE (consumer_id, reference),
    CONSTRAINT messages_consumer FOREIGN KEY (consumer_id) REFERENCES consumers (consumer_id)
);
CREATE INDEX messages_inbox ON messages (consumer_id, created_at DESC, message_id DESC) WHERE removed_at IS NULL;
