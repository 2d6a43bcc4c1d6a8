-- Make-minutes: what a store's baristas can make in each five minutes of UTC, and who has reserved it.

CREATE TABLE make_slices (
    store_id         uuid    NOT NULL,
    -- Number of the five minutes since 1970.
    slice            bigint  NOT NULL,
    used_seconds     integer NOT NULL,
    capacity_seconds integer NOT NULL,
    CONSTRAINT make_slices_pkey PRIMARY KEY (store_id, slice),
    CONSTRAINT make_slices_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT make_slices_not_negative CHECK (used_seconds >= 0),
    CONSTRAINT make_slices_not_overbooked CHECK (used_seconds <= capacity_seconds)
);
CREATE INDEX make_slices_slice_idx ON make_slices (slice);

-- One an order. A released row without a store is a tombstone: the order was closed before it reserved anything,
-- and a reservation that arrives late meets it.
CREATE TABLE reservations (
    order_id     uuid        NOT NULL,
    store_id     uuid,
    make_seconds integer     NOT NULL,
    start_at     timestamptz,
    ready_at     timestamptz,
    -- The slices it has taken from, and how much of each.
    slices       bigint[]    NOT NULL,
    seconds      integer[]   NOT NULL,
    reserved_at  timestamptz,
    released_at  timestamptz,
    CONSTRAINT reservations_pkey PRIMARY KEY (order_id),
    CONSTRAINT reservations_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT reservations_held_or_closed CHECK (
        released_at IS NOT NULL
        OR (store_id IS NOT NULL AND start_at IS NOT NULL AND ready_at IS NOT NULL AND reserved_at IS NOT NULL)
    ),
    CONSTRAINT reservations_slices_match CHECK (cardinality(slices) = cardinality(seconds))
);
CREATE INDEX reservations_store_idx ON reservations (store_id);
CREATE INDEX reservations_over_idx ON reservations ((coalesce(released_at, ready_at)));
