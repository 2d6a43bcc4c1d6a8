-- Removed consumers. No order, cart or feedback is written for them.
CREATE TABLE removed_consumers (
    consumer_id    uuid        NOT NULL,
    removed_at     timestamptz NOT NULL DEFAULT now(),
    -- When data is erased that requests wrote while the consumer was removed. Null once it is erased.
    erase_again_at timestamptz,
    CONSTRAINT removed_consumers_pkey PRIMARY KEY (consumer_id)
);
CREATE INDEX removed_consumers_erase_again ON removed_consumers (erase_again_at) WHERE erase_again_at IS NOT NULL;
