-- Moves of scheduled orders to another time. A row exists from before its reservation is moved until the time is promised, so that
-- a move that was interrupted is completed.
CREATE SEQUENCE order_move_epochs;

CREATE TABLE order_moves (
    order_id          uuid        NOT NULL,
    -- Null if only the reservation is to be moved to the promised time.
    ready_at          timestamptz,
    reason            text        NOT NULL DEFAULT '',
    -- A task that acquires the lease sets a new epoch, so that the previous one writes nothing more.
    epoch             bigint      NOT NULL DEFAULT nextval('order_move_epochs'),
    lease_until       timestamptz NOT NULL,
    -- Recovery waits longer after each failure.
    retry_at          timestamptz NOT NULL DEFAULT now(),
    failures          integer     NOT NULL DEFAULT 0,
    -- Whether a task without the lease may have moved the reservation.
    check_reservation boolean     NOT NULL DEFAULT false,
    CONSTRAINT order_moves_pkey PRIMARY KEY (order_id)
);
