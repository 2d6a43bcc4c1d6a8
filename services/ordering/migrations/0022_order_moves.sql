-- Moves of scheduled orders to another time. A row exists from before its reservation is moved until the time is promised, so that
-- a move that was interrupted is completed.
CREATE SEQUENCE order_move_epochs;

CREATE TABLE order_moves (
    order_id    uuid        NOT NULL,
    ready_at    timestamptz NOT NULL,
    reason      text        NOT NULL DEFAULT '',
    -- A task that acquires the lease sets a new epoch, so that the previous one writes nothing more.
    epoch       bigint      NOT NULL DEFAULT nextval('order_move_epochs'),
    lease_until timestamptz NOT NULL,
    CONSTRAINT order_moves_pkey PRIMARY KEY (order_id)
);
