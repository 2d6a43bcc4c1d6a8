-- Orders and their life. Money in minor units of `currency`.
CREATE TABLE orders (
    id                uuid CONSTRAINT orders_pkey PRIMARY KEY,
    consumer_id       uuid NOT NULL,
    store_id          uuid NOT NULL,
    -- The client's id of the cart that this order came of.
    cart_id           text NOT NULL,
    status            text NOT NULL CONSTRAINT orders_status_check CHECK (status IN (
        'payment_pending', 'scheduled', 'placed', 'accepted', 'preparing', 'ready', 'completed', 'cancelled',
        'rejected', 'payment_failed')),
    version           bigint NOT NULL CONSTRAINT orders_version_check CHECK (version > 0),
    idempotency_key   text NOT NULL,

    store_name        text NOT NULL,
    store_address     text NOT NULL,
    time_zone         text NOT NULL,
    lines             jsonb NOT NULL,
    currency          text NOT NULL,
    subtotal          bigint NOT NULL,
    discount          bigint NOT NULL,
    tax               bigint NOT NULL,
    tip               bigint NOT NULL,
    total             bigint NOT NULL,
    tax_rate_ppm      bigint NOT NULL,
    promo_code        text NOT NULL,
    points            bigint NOT NULL,
    tender            text NOT NULL CONSTRAINT orders_tender_check CHECK (tender IN ('card', 'bank', 'joepass')),
    payment_method_id text NOT NULL,
    pickup            text NOT NULL CONSTRAINT orders_pickup_check CHECK (pickup IN ('counter', 'curbside')),
    vehicle           text NOT NULL,
    pickup_name       text NOT NULL,
    make_seconds      integer NOT NULL,

    -- The time that a scheduled order was asked for.
    pickup_at         timestamptz,
    -- The promise, and when the making has to start for it.
    ready_at          timestamptz NOT NULL,
    start_at          timestamptz NOT NULL,
    -- The latest ready time that the consumer agreed to.
    not_after         timestamptz NOT NULL,
    created_at        timestamptz NOT NULL,
    placed_at         timestamptz,
    -- No store accepted by then: the system cancels.
    accept_by         timestamptz,
    arrived_at        timestamptz,
    reason            text NOT NULL DEFAULT '',
    message           text NOT NULL DEFAULT '',

    -- The saga that places the order. Whoever works on it holds the lease; taking it over raises the epoch, so that the
    -- earlier holder can write nothing any more.
    lease_until       timestamptz,
    epoch             bigint NOT NULL DEFAULT 1,
    -- Set while the consumer's authentication is awaited.
    client_secret     text NOT NULL DEFAULT '',

    CONSTRAINT orders_total_check CHECK (total = subtotal - discount + tax + tip AND total >= 0),
    CONSTRAINT orders_discount_check CHECK (discount BETWEEN 0 AND subtotal)
);

-- At most one order that has not failed comes of a cart.
CREATE UNIQUE INDEX orders_cart_key ON orders (consumer_id, cart_id) WHERE status <> 'payment_failed';
CREATE UNIQUE INDEX orders_idempotency_key ON orders (consumer_id, idempotency_key);
CREATE INDEX orders_consumer_idx ON orders (consumer_id, created_at DESC);
CREATE INDEX orders_store_queue_idx ON orders (store_id, start_at)
    WHERE status IN ('placed', 'accepted', 'preparing', 'ready');
CREATE INDEX orders_lease_idx ON orders (lease_until) WHERE status = 'payment_pending';
CREATE INDEX orders_accept_by_idx ON orders (accept_by) WHERE status = 'placed';
CREATE INDEX orders_start_at_idx ON orders (start_at) WHERE status = 'scheduled';

-- Who changed an order to what, and when.
CREATE TABLE order_history (
    order_id uuid NOT NULL CONSTRAINT order_history_order_id_fkey REFERENCES orders (id),
    version  bigint NOT NULL,
    status   text NOT NULL,
    at       timestamptz NOT NULL,
    by_whom  text NOT NULL CONSTRAINT order_history_by_whom_check CHECK (by_whom IN ('consumer', 'store', 'system')),
    CONSTRAINT order_history_pkey PRIMARY KEY (order_id, version)
);

-- The server's copy of a consumer's cart.
CREATE TABLE saved_carts (
    consumer_id uuid CONSTRAINT saved_carts_pkey PRIMARY KEY,
    cart        jsonb NOT NULL,
    saved_at    timestamptz NOT NULL
);
