-- Items that consumers saved with their customization.
CREATE TABLE usual_items (
    usual_item_id uuid        NOT NULL,
    consumer_id   uuid        NOT NULL,
    -- The store at which the item was saved last. Other stores of the company have the same menu.
    store_id      uuid        NOT NULL,
    name          text        NOT NULL,
    item_id       uuid        NOT NULL,
    size_id       uuid        NOT NULL,
    -- Array of {"modificationId", "choiceId", "quantity"}, sorted.
    choices       jsonb       NOT NULL,
    note          text        NOT NULL,
    -- SHA-256 of item, size, choices and note: too long together for an index.
    content_hash  bytea       NOT NULL,
    created_at    timestamptz NOT NULL,
    CONSTRAINT usual_items_pkey PRIMARY KEY (usual_item_id),
    CONSTRAINT usual_items_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT usual_items_content_unique UNIQUE (consumer_id, content_hash),
    CONSTRAINT usual_items_name_length CHECK (length(name) BETWEEN 1 AND 120)
);
CREATE INDEX usual_items_store_idx ON usual_items (store_id);
