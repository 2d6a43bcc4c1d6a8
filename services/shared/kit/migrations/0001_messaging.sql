-- Facts that are true and not published yet. A row is written in the transaction that makes its fact true.
CREATE TABLE outbox (
    position          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT outbox_pkey PRIMARY KEY,
    event_id          uuid NOT NULL CONSTRAINT outbox_event_id_key UNIQUE,
    kind              text NOT NULL,
    aggregate_id      text NOT NULL,
    aggregate_version bigint NOT NULL,
    payload           bytea NOT NULL,
    trace_parent      text,
    occurred_at       timestamptz NOT NULL,
    -- A relay that claims a row has until then; afterwards any relay may take it again.
    leased_until      timestamptz
);

-- Events whose effect is in this database. Written in the transaction of the effect.
CREATE TABLE consumed_events (
    event_id    uuid CONSTRAINT consumed_events_pkey PRIMARY KEY,
    consumed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX consumed_events_consumed_at_idx ON consumed_events (consumed_at);

-- What was asked under a client's key, and the answer once there is one.
CREATE TABLE idempotency (
    scope        text NOT NULL,
    operation    text NOT NULL,
    key          text NOT NULL,
    request_hash bytea NOT NULL,
    response     bytea,
    started_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT idempotency_pkey PRIMARY KEY (scope, operation, key)
);
