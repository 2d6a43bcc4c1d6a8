-- Purchases of stored value, gift cards, company cards, deals, automatic reloads and PINs for the counter.

INSERT INTO ledger.accounts (id, kind, unit, opened_at) VALUES
    ('00000000-0000-0000-0000-000000000005', 'receipts',        'usd', now()),
    ('00000000-0000-0000-0000-000000000006', 'promotions',      'usd', now()),
    ('00000000-0000-0000-0000-000000000007', 'failed_refunds',  'usd', now()),
    ('00000000-0000-0000-0000-000000000008', 'physical_cards',  'usd', now()),
    ('00000000-0000-0000-0000-000000000009', 'returned_debits', 'usd', now());

ALTER TABLE holds ADD COLUMN store_id uuid;

-- Offers to buy value for less than its amount. Without a company, the value is valid at all stores.
CREATE TABLE deals (
    id               uuid        NOT NULL,
    company_id       uuid,
    company_name     text        NOT NULL DEFAULT '',
    title            text        NOT NULL,
    description      text        NOT NULL DEFAULT '',
    price            bigint      NOT NULL,
    value            bigint      NOT NULL,
    starts_at        timestamptz NOT NULL,
    ends_at          timestamptz,
    max_per_consumer integer     NOT NULL,
    CONSTRAINT deals_pkey PRIMARY KEY (id),
    CONSTRAINT deals_price_positive CHECK (price > 0),
    CONSTRAINT deals_value_at_least_price CHECK (value >= price),
    CONSTRAINT deals_max_per_consumer_positive CHECK (max_per_consumer > 0)
);

CREATE TABLE purchases (
    id                uuid        NOT NULL,
    consumer_id       uuid        NOT NULL,
    kind              text        NOT NULL,
    state             text        NOT NULL,
    -- Fences tasks: a task writes only while it has the newest epoch.
    epoch             bigint      NOT NULL DEFAULT 1,
    -- Recovery takes over a purchase whose lease expired; null while no task has to end it.
    lease_until       timestamptz,
    -- Set while the consumer has to authenticate the payment and no task works on the purchase.
    client_secret     text        NOT NULL DEFAULT '',
    -- Set when the consumer has to authenticate the payment for the first time.
    authenticate_by   timestamptz,
    idempotency_key   text        NOT NULL,
    request_hash      bytea       NOT NULL,
    amount            bigint      NOT NULL,
    value             bigint      NOT NULL,
    deal_id           uuid,
    tender            text        NOT NULL,
    payment_method_id text        NOT NULL,
    is_automatic      boolean     NOT NULL,
    -- The balance that receives the value; null before a card is issued.
    balance_id        uuid,
    -- The gift card that is bought.
    gift_card_id      uuid,
    -- The company of a company card.
    company_id        uuid,
    company_name      text        NOT NULL DEFAULT '',
    -- Who receives a gift card. Erased once the message is sent.
    recipient_kind    text,
    recipient_address text        NOT NULL DEFAULT '',
    recipient_name    text        NOT NULL DEFAULT '',
    gift_message      text        NOT NULL DEFAULT '',
    design            text        NOT NULL DEFAULT '',
    deliver_at        timestamptz,
    -- The latest event about the charge, which may arrive before the saga reads the charge.
    charge_outcome    text,
    -- Why the purchase failed.
    error_code        text        NOT NULL DEFAULT '',
    reason            text        NOT NULL DEFAULT '',
    message           text        NOT NULL DEFAULT '',
    created_at        timestamptz NOT NULL,
    ended_at          timestamptz,
    CONSTRAINT purchases_pkey PRIMARY KEY (id),
    CONSTRAINT purchases_idempotency_key UNIQUE (consumer_id, kind, idempotency_key),
    CONSTRAINT purchases_gift_card UNIQUE (gift_card_id),
    CONSTRAINT purchases_deal FOREIGN KEY (deal_id) REFERENCES deals (id),
    CONSTRAINT purchases_kind_known CHECK (kind IN ('top_up', 'gift_card', 'company_card')),
    CONSTRAINT purchases_state_known
        CHECK (state IN ('pending', 'requires_action', 'processing', 'completed', 'failed', 'returned')),
    CONSTRAINT purchases_tender_known CHECK (tender IN ('card', 'bank', 'apple_pay', 'google_pay')),
    CONSTRAINT purchases_recipient_known CHECK (recipient_kind IN ('self', 'phone', 'email')),
    CONSTRAINT purchases_charge_outcome_known CHECK (charge_outcome IN ('settled', 'declined', 'returned')),
    CONSTRAINT purchases_amount_positive CHECK (amount > 0 AND value >= amount),
    CONSTRAINT purchases_gift_card_has_recipient
        CHECK ((kind = 'gift_card') = (gift_card_id IS NOT NULL) AND (kind = 'gift_card') = (recipient_kind IS NOT NULL)),
    CONSTRAINT purchases_company_card_has_company CHECK ((kind = 'company_card') = (company_id IS NOT NULL)),
    CONSTRAINT purchases_lease_while_unfinished
        CHECK ((state IN ('pending', 'requires_action')) = (lease_until IS NOT NULL)),
    CONSTRAINT purchases_secret_while_requires_action CHECK ((state = 'requires_action') = (client_secret <> ''))
);
CREATE INDEX purchases_unfinished ON purchases (lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX purchases_by_consumer ON purchases (consumer_id, created_at DESC);
CREATE INDEX purchases_processing ON purchases (consumer_id) WHERE state = 'processing';

-- Gift cards. The value is in the ledger account whose owner is the card's id; its balance has the account's id.
CREATE TABLE gift_cards (
    id          uuid        NOT NULL,
    kind        text        NOT NULL,
    balance_id  uuid        NOT NULL,
    -- Keyed hashes. A card without code was bought by its consumer for the own wallet.
    code_hash   bytea,
    pin_hash    bytea,
    code_suffix text        NOT NULL DEFAULT '',
    design      text        NOT NULL,
    -- The consumer who has added the card to the wallet; null before that.
    consumer_id uuid,
    purchase_id uuid,
    issued_at   timestamptz NOT NULL,
    linked_at   timestamptz,
    -- A canceled card cannot be redeemed.
    canceled_at timestamptz,
    CONSTRAINT gift_cards_pkey PRIMARY KEY (id),
    CONSTRAINT gift_cards_balance UNIQUE (balance_id),
    CONSTRAINT gift_cards_code UNIQUE (code_hash),
    CONSTRAINT gift_cards_purchase UNIQUE (purchase_id),
    CONSTRAINT gift_cards_kind_known CHECK (kind IN ('digital', 'physical')),
    CONSTRAINT gift_cards_account FOREIGN KEY (balance_id) REFERENCES ledger.balances (account_id),
    CONSTRAINT gift_cards_purchase_exists FOREIGN KEY (purchase_id) REFERENCES purchases (id),
    CONSTRAINT gift_cards_linked_at_with_consumer CHECK (consumer_id IS NULL OR linked_at IS NOT NULL)
);
CREATE INDEX gift_cards_by_consumer ON gift_cards (consumer_id) WHERE consumer_id IS NOT NULL;

-- Messages with the code of a gift card that are not sent yet. The code is derived when the message is sent.
CREATE TABLE gift_card_deliveries (
    gift_card_id uuid        NOT NULL,
    due_at       timestamptz NOT NULL,
    attempts     integer     NOT NULL DEFAULT 0,
    CONSTRAINT gift_card_deliveries_pkey PRIMARY KEY (gift_card_id),
    CONSTRAINT gift_card_deliveries_gift_card FOREIGN KEY (gift_card_id) REFERENCES gift_cards (id)
);
CREATE INDEX gift_card_deliveries_due ON gift_card_deliveries (due_at);

-- One card per consumer and company. The value is in the ledger account whose owner is the card's id.
CREATE TABLE company_cards (
    id           uuid        NOT NULL,
    consumer_id  uuid,
    company_id   uuid        NOT NULL,
    company_name text        NOT NULL,
    balance_id   uuid        NOT NULL,
    is_active    boolean     NOT NULL,
    created_at   timestamptz NOT NULL,
    CONSTRAINT company_cards_pkey PRIMARY KEY (id),
    CONSTRAINT company_cards_one_per_company UNIQUE (consumer_id, company_id),
    CONSTRAINT company_cards_balance UNIQUE (balance_id),
    CONSTRAINT company_cards_account FOREIGN KEY (balance_id) REFERENCES ledger.balances (account_id)
);

CREATE TABLE auto_reload_rules (
    consumer_id       uuid        NOT NULL,
    is_enabled        boolean     NOT NULL,
    threshold         bigint      NOT NULL,
    amount            bigint      NOT NULL,
    payment_method_id text        NOT NULL,
    tender            text        NOT NULL,
    paused_until      timestamptz,
    -- Set when the phone or a payment method changes.
    frozen_until      timestamptz,
    -- Set when the balance falls below the threshold; a worker reloads then.
    due_at            timestamptz,
    updated_at        timestamptz NOT NULL,
    CONSTRAINT auto_reload_rules_pkey PRIMARY KEY (consumer_id),
    CONSTRAINT auto_reload_rules_tender_known CHECK (tender IN ('card', 'bank')),
    CONSTRAINT auto_reload_rules_amount_range CHECK (amount BETWEEN 1000 AND 50000),
    CONSTRAINT auto_reload_rules_threshold_range CHECK (threshold BETWEEN 0 AND 20000)
);
CREATE INDEX auto_reload_rules_due ON auto_reload_rules (due_at) WHERE due_at IS NOT NULL;

-- At most one PIN per consumer, unique in its store. A PIN that is used or replaced is deleted.
CREATE TABLE counter_pins (
    consumer_id uuid        NOT NULL,
    store_id    uuid        NOT NULL,
    store_name  text        NOT NULL,
    pin_hash    bytea       NOT NULL,
    expires_at  timestamptz NOT NULL,
    CONSTRAINT counter_pins_pkey PRIMARY KEY (consumer_id),
    CONSTRAINT counter_pins_one_per_store UNIQUE (store_id, pin_hash)
);
CREATE INDEX counter_pins_expired ON counter_pins (expires_at);

CREATE TABLE counter_payments (
    id              uuid        NOT NULL,
    store_id        uuid        NOT NULL,
    store_name      text        NOT NULL,
    credential_id   uuid        NOT NULL,
    idempotency_key text        NOT NULL,
    request_hash    bytea       NOT NULL,
    amount          bigint      NOT NULL,
    paid_at         timestamptz NOT NULL,
    CONSTRAINT counter_payments_pkey PRIMARY KEY (id),
    CONSTRAINT counter_payments_idempotency_key UNIQUE (store_id, idempotency_key),
    CONSTRAINT counter_payments_amount_positive CHECK (amount > 0)
);

-- Wrong PINs by terminal and by store, per minute. Counted before the PIN is compared.
CREATE TABLE pin_attempts (
    scope  text        NOT NULL,
    minute timestamptz NOT NULL,
    count  integer     NOT NULL,
    CONSTRAINT pin_attempts_pkey PRIMARY KEY (scope, minute)
);
