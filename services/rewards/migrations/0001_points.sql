-- Where points come from and go to. The ids are fixed: ops/books.rs names them.
INSERT INTO ledger.accounts (id, kind, unit, opened_at) VALUES
    ('00000000-0000-0000-0000-000000000001', 'development', 'points', now()),
    ('00000000-0000-0000-0000-000000000002', 'earned',      'points', now()),
    ('00000000-0000-0000-0000-000000000003', 'departed',    'points', now());

-- Consumers we have met. The row of one who was removed stays, so that nothing late reaches them.
CREATE TABLE consumers (
    consumer_id uuid NOT NULL,
    -- Keyed hash of the phone number: whoever registers again with the same number is the same for once-only claims.
    phone_hash  text,
    removed_at  timestamptz,
    CONSTRAINT consumers_pkey PRIMARY KEY (consumer_id),
    CONSTRAINT consumers_removed_are_forgotten CHECK (removed_at IS NULL OR phone_hash IS NULL)
);

-- What points can be turned into.
CREATE TABLE reward_tiers (
    points bigint NOT NULL,
    title  text   NOT NULL,
    CONSTRAINT reward_tiers_pkey PRIMARY KEY (points),
    CONSTRAINT reward_tiers_points_positive CHECK (points > 0)
);

-- What each order has come to: completed and refunded may be heard of in any order.
CREATE TABLE order_points (
    order_id uuid   NOT NULL,
    -- Subtotal less discounts, once the order is completed.
    earning  bigint,
    refunded bigint NOT NULL DEFAULT 0,
    -- What has been given for it so far, in so many postings.
    points   bigint NOT NULL DEFAULT 0,
    postings bigint NOT NULL DEFAULT 0,
    CONSTRAINT order_points_pkey PRIMARY KEY (order_id),
    CONSTRAINT order_points_not_negative CHECK (earning >= 0 AND refunded >= 0 AND points >= 0)
);
