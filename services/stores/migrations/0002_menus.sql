-- What a company sells. Ids are made from what a thing is, so that writing a menu again keeps them.

CREATE TABLE categories (
    category_id uuid    NOT NULL,
    company_id  uuid    NOT NULL,
    name        text    NOT NULL,
    position    integer NOT NULL,
    CONSTRAINT categories_pkey PRIMARY KEY (category_id),
    CONSTRAINT categories_company_fkey FOREIGN KEY (company_id) REFERENCES companies ON DELETE CASCADE,
    CONSTRAINT categories_position_unique UNIQUE (company_id, position)
);

CREATE TABLE items (
    item_id      uuid    NOT NULL,
    category_id  uuid    NOT NULL,
    name         text    NOT NULL,
    description  text    NOT NULL,
    kind         text    NOT NULL,
    -- Parameters of the drawing.
    art          jsonb   NOT NULL,
    allergens    text[]  NOT NULL,
    make_seconds integer NOT NULL,
    position     integer NOT NULL,
    CONSTRAINT items_pkey PRIMARY KEY (item_id),
    CONSTRAINT items_category_fkey FOREIGN KEY (category_id) REFERENCES categories ON DELETE CASCADE,
    CONSTRAINT items_position_unique UNIQUE (category_id, position),
    CONSTRAINT items_kind_known CHECK (kind IN ('drink', 'food')),
    CONSTRAINT items_make_seconds_range CHECK (make_seconds BETWEEN 0 AND 3600)
);

CREATE TABLE sizes (
    size_id     uuid    NOT NULL,
    item_id     uuid    NOT NULL,
    -- The cup that prices of choices go by: small, medium, large, extra, one.
    scale       text    NOT NULL,
    name        text    NOT NULL,
    ounces      integer NOT NULL,
    price_cents bigint  NOT NULL,
    calories    integer NOT NULL,
    caffeine_mg integer NOT NULL,
    is_default  boolean NOT NULL,
    CONSTRAINT sizes_pkey PRIMARY KEY (size_id),
    CONSTRAINT sizes_item_fkey FOREIGN KEY (item_id) REFERENCES items ON DELETE CASCADE,
    CONSTRAINT sizes_scale_unique UNIQUE (item_id, scale),
    CONSTRAINT sizes_scale_known CHECK (scale IN ('small', 'medium', 'large', 'extra', 'one')),
    CONSTRAINT sizes_ounces_range CHECK (ounces BETWEEN 0 AND 128),
    CONSTRAINT sizes_price_range CHECK (price_cents BETWEEN 0 AND 100000),
    CONSTRAINT sizes_facts_positive CHECK (calories >= 0 AND caffeine_mg >= 0)
);
CREATE UNIQUE INDEX sizes_one_default ON sizes (item_id) WHERE is_default;

-- A group of choices that several items of a company share.
CREATE TABLE modifications (
    modification_id uuid NOT NULL,
    company_id      uuid NOT NULL,
    name            text NOT NULL,
    CONSTRAINT modifications_pkey PRIMARY KEY (modification_id),
    CONSTRAINT modifications_company_fkey FOREIGN KEY (company_id) REFERENCES companies ON DELETE CASCADE
);
CREATE INDEX modifications_company_idx ON modifications (company_id);

CREATE TABLE choices (
    choice_id       uuid    NOT NULL,
    modification_id uuid    NOT NULL,
    name            text    NOT NULL,
    max_quantity    integer NOT NULL,
    allergens       text[]  NOT NULL,
    art_key         text    NOT NULL,
    position        integer NOT NULL,
    CONSTRAINT choices_pkey PRIMARY KEY (choice_id),
    CONSTRAINT choices_modification_fkey FOREIGN KEY (modification_id) REFERENCES modifications ON DELETE CASCADE,
    CONSTRAINT choices_position_unique UNIQUE (modification_id, position),
    CONSTRAINT choices_max_quantity_range CHECK (max_quantity BETWEEN 1 AND 20)
);

-- What one of a choice costs and adds in each cup.
CREATE TABLE choice_prices (
    choice_id   uuid    NOT NULL,
    scale       text    NOT NULL,
    price_cents bigint  NOT NULL,
    calories    integer NOT NULL,
    CONSTRAINT choice_prices_pkey PRIMARY KEY (choice_id, scale),
    CONSTRAINT choice_prices_choice_fkey FOREIGN KEY (choice_id) REFERENCES choices ON DELETE CASCADE,
    CONSTRAINT choice_prices_scale_known CHECK (scale IN ('small', 'medium', 'large', 'extra', 'one')),
    CONSTRAINT choice_prices_price_range CHECK (price_cents BETWEEN 0 AND 100000)
);

CREATE TABLE item_modifications (
    item_id         uuid    NOT NULL,
    modification_id uuid    NOT NULL,
    position        integer NOT NULL,
    min_choices     integer NOT NULL,
    max_choices     integer NOT NULL,
    included        integer NOT NULL,
    CONSTRAINT item_modifications_pkey PRIMARY KEY (item_id, modification_id),
    CONSTRAINT item_modifications_item_fkey FOREIGN KEY (item_id) REFERENCES items ON DELETE CASCADE,
    CONSTRAINT item_modifications_modification_fkey FOREIGN KEY (modification_id) REFERENCES modifications ON DELETE CASCADE,
    CONSTRAINT item_modifications_limits CHECK (min_choices >= 0 AND max_choices >= min_choices AND max_choices BETWEEN 1 AND 50),
    CONSTRAINT item_modifications_included_range CHECK (included BETWEEN 0 AND max_choices)
);
CREATE INDEX item_modifications_modification_idx ON item_modifications (modification_id);

-- What an item is made with unless the consumer says otherwise.
CREATE TABLE item_defaults (
    item_id   uuid    NOT NULL,
    choice_id uuid    NOT NULL,
    quantity  integer NOT NULL,
    CONSTRAINT item_defaults_pkey PRIMARY KEY (item_id, choice_id),
    CONSTRAINT item_defaults_item_fkey FOREIGN KEY (item_id) REFERENCES items ON DELETE CASCADE,
    CONSTRAINT item_defaults_choice_fkey FOREIGN KEY (choice_id) REFERENCES choices ON DELETE CASCADE,
    CONSTRAINT item_defaults_quantity_range CHECK (quantity BETWEEN 1 AND 20)
);
CREATE INDEX item_defaults_choice_idx ON item_defaults (choice_id);

-- What a store is out of. No reference to the thing itself: ids outlive a rewriting of the menu, and so does this.
CREATE TABLE sold_out (
    store_id   uuid NOT NULL,
    subject    text NOT NULL,
    subject_id uuid NOT NULL,
    CONSTRAINT sold_out_pkey PRIMARY KEY (store_id, subject, subject_id),
    CONSTRAINT sold_out_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT sold_out_subject_known CHECK (subject IN ('item', 'size', 'choice'))
);
