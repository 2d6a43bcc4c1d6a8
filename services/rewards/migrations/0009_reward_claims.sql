-- Where points for rewards go.
INSERT INTO ledger.accounts (id, kind, unit, opened_at) VALUES
    ('00000000-0000-0000-0000-000000000004', 'spent', 'points', now());

-- A reward tier is a code that costs points and takes its amount off one drink.
ALTER TABLE promos
    ADD COLUMN reward_points bigint,
    ADD CONSTRAINT promos_reward_points_positive CHECK (reward_points > 0),
    ADD CONSTRAINT promos_reward_points_unique UNIQUE (reward_points);
INSERT INTO promos (code, amount, once, starts_at, catalog, reward_points)
    SELECT 'REWARD' || points, amount, false, '2026-01-01', catalog, points FROM reward_tiers WHERE amount IS NOT NULL
    ON CONFLICT DO NOTHING;

-- Points that the claim cost. They are given back when it is released.
ALTER TABLE claims ADD COLUMN points bigint;

-- Refunds that revoked points. A refund that is done can fail later and is then credited to JoePass; it counts once.
CREATE TABLE order_refunds (
    order_id  uuid NOT NULL,
    refund_id text NOT NULL,
    CONSTRAINT order_refunds_pkey PRIMARY KEY (order_id, refund_id)
);

-- Points per dollar of the order: more in the native app. Of orders that were completed before, the rate of then.
ALTER TABLE order_points ADD COLUMN points_per_unit bigint NOT NULL DEFAULT 10;
