-- Codes for orders in the native app, and for some weekdays (1 for Monday to 7 for Sunday; empty for every day).
ALTER TABLE promos
    ADD COLUMN is_app_only boolean NOT NULL DEFAULT false,
    ADD COLUMN weekdays smallint[] NOT NULL DEFAULT '{}',
    -- The imported file that contains the code; null for a code of an earlier release.
    ADD COLUMN catalog text,
    ADD CONSTRAINT promos_weekdays_range CHECK (weekdays <@ ARRAY[1, 2, 3, 4, 5, 6, 7]::smallint[]);
UPDATE promos SET is_app_only = true WHERE code = 'WELCOME3';

-- Cents that the reward takes off at most; null for a tier of an earlier release.
ALTER TABLE reward_tiers
    ADD COLUMN amount bigint,
    ADD COLUMN catalog text,
    ADD CONSTRAINT reward_tiers_amount_positive CHECK (amount > 0);

CREATE TABLE offers (
    offer_id   text    NOT NULL,
    catalog    text    NOT NULL,
    title      text    NOT NULL,
    body       text    NOT NULL,
    terms      text    NOT NULL,
    -- Determines when and where the offer applies. Null for an offer that always applies.
    promo_code text,
    CONSTRAINT offers_pkey PRIMARY KEY (offer_id),
    CONSTRAINT offers_promo FOREIGN KEY (promo_code) REFERENCES promos (code)
);

CREATE TABLE challenges (
    challenge_id text        NOT NULL,
    catalog      text        NOT NULL,
    title        text        NOT NULL,
    body         text        NOT NULL,
    goal         text        NOT NULL,
    -- Orders, stores, or cents.
    target       bigint      NOT NULL,
    points       bigint      NOT NULL,
    starts_at    timestamptz NOT NULL,
    ends_at      timestamptz NOT NULL,
    CONSTRAINT challenges_pkey PRIMARY KEY (challenge_id),
    CONSTRAINT challenges_goal_known CHECK (goal IN ('orders', 'stores', 'spend')),
    CONSTRAINT challenges_target_positive CHECK (target > 0),
    CONSTRAINT challenges_points_positive CHECK (points > 0),
    CONSTRAINT challenges_ends_after_start CHECK (ends_at > starts_at)
);

-- Rewards of challenges that consumers claimed, once each.
CREATE TABLE challenge_claims (
    -- In the references of postings, so that the ledger contains no consumer.
    claim_id     bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
    challenge_id text        NOT NULL,
    consumer_id  uuid        NOT NULL,
    points       bigint      NOT NULL,
    claimed_at   timestamptz NOT NULL,
    -- When the reward was revoked because of refunds. The consumer can then complete the challenge again.
    revoked_at   timestamptz,
    -- Number of times the reward was claimed.
    claim_count  bigint      NOT NULL DEFAULT 1,
    CONSTRAINT challenge_claims_pkey PRIMARY KEY (claim_id),
    CONSTRAINT challenge_claims_once UNIQUE (challenge_id, consumer_id),
    CONSTRAINT challenge_claims_challenge FOREIGN KEY (challenge_id) REFERENCES challenges (challenge_id),
    CONSTRAINT challenge_claims_consumer FOREIGN KEY (consumer_id) REFERENCES consumers (consumer_id)
);
CREATE INDEX challenge_claims_by_consumer ON challenge_claims (consumer_id);

-- Orders count for challenges and invitations. Orders of earlier releases do not.
ALTER TABLE order_points
    -- Null once the consumer was removed.
    ADD COLUMN consumer_id uuid,
    ADD COLUMN store_id uuid,
    ADD COLUMN completed_at timestamptz;
CREATE INDEX order_points_by_consumer ON order_points (consumer_id, completed_at) WHERE consumer_id IS NOT NULL;

-- Who invited whom. The friend's first paid order rewards both.
CREATE TABLE invitations (
    invitation_id bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
    -- Null once the consumer was removed.
    friend_id     uuid,
    -- Stays after the removal of the friend, so that a phone number is invited once.
    phone_hash    text,
    -- Null once the consumer was removed.
    referrer_id   uuid,
    invited_at    timestamptz NOT NULL,
    -- The order that both were rewarded for. Null before, and again after its refund.
    order_id      uuid,
    referrer_points bigint    NOT NULL DEFAULT 0,
    friend_points bigint      NOT NULL DEFAULT 0,
    CONSTRAINT invitations_pkey PRIMARY KEY (invitation_id),
    CONSTRAINT invitations_friend_unique UNIQUE (friend_id),
    CONSTRAINT invitations_phone_unique UNIQUE (phone_hash),
    CONSTRAINT invitations_of_others CHECK (friend_id <> referrer_id),
    CONSTRAINT invitations_points_not_negative CHECK (referrer_points >= 0 AND friend_points >= 0)
);
CREATE INDEX invitations_by_referrer ON invitations (referrer_id);

CREATE TABLE landing_pages (
    url_slug   text   NOT NULL,
    catalog    text   NOT NULL,
    title      text   NOT NULL,
    subtitle   text   NOT NULL,
    picture    text   NOT NULL,
    paragraphs text[] NOT NULL,
    action_label text NOT NULL,
    action_path  text NOT NULL,
    promo_code text,
    CONSTRAINT landing_pages_pkey PRIMARY KEY (url_slug),
    CONSTRAINT landing_pages_promo FOREIGN KEY (promo_code) REFERENCES promos (code)
);
