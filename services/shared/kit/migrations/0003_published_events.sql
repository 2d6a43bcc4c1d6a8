-- Published events of the last day. After a restore they are published again, because messages of the broker are not restored.
CREATE TABLE published_events (
    published_at      timestamptz NOT NULL DEFAULT now(),
    event_id          uuid        NOT NULL,
    kind              text        NOT NULL,
    aggregate_id      text        NOT NULL,
    aggregate_version bigint      NOT NULL,
    payload           bytea       NOT NULL,
    trace_parent      text,
    occurred_at       timestamptz NOT NULL,
    -- Begins with the time, because rows are read and deleted by it.
    CONSTRAINT published_events_pkey PRIMARY KEY (published_at, event_id)
);
