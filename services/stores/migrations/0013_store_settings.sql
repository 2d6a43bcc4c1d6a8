-- Pauses with a reason and an end, days with other hours than usual, and baristas by day.
ALTER TABLE stores ADD COLUMN pause_reason text NOT NULL DEFAULT 'other';
-- The pause ends by itself at this time.
ALTER TABLE stores ADD COLUMN paused_until timestamptz;
ALTER TABLE stores ADD CONSTRAINT stores_pause_reason_known
    CHECK (pause_reason IN ('busy', 'equipment', 'staffing', 'supplies', 'other'));
CREATE INDEX stores_paused_until_idx ON stores (paused_until) WHERE paused;

-- Replaces the usual hours of one day. Closed without openings.
CREATE TABLE store_special_days (
    store_id uuid NOT NULL,
    -- In the store's time zone.
    day      date NOT NULL,
    name     text NOT NULL,
    CONSTRAINT store_special_days_pkey PRIMARY KEY (store_id, day),
    CONSTRAINT store_special_days_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT store_special_days_name_length CHECK (length(name) <= 60)
);
CREATE INDEX store_special_days_day_idx ON store_special_days (day);

CREATE TABLE store_special_openings (
    store_id      uuid     NOT NULL,
    day           date     NOT NULL,
    opens_minute  smallint NOT NULL,
    closes_minute smallint NOT NULL,
    CONSTRAINT store_special_openings_pkey PRIMARY KEY (store_id, day, opens_minute),
    CONSTRAINT store_special_openings_day_fkey FOREIGN KEY (store_id, day) REFERENCES store_special_days ON DELETE CASCADE,
    CONSTRAINT store_special_openings_opens_range CHECK (opens_minute BETWEEN 0 AND 1439),
    CONSTRAINT store_special_openings_closes_range CHECK (closes_minute > opens_minute AND closes_minute <= 2880)
);

-- The number of baristas on one day. Days without a row have the store's default.
CREATE TABLE store_shifts (
    store_id uuid    NOT NULL,
    -- In the store's time zone.
    day      date    NOT NULL,
    baristas integer NOT NULL,
    CONSTRAINT store_shifts_pkey PRIMARY KEY (store_id, day),
    CONSTRAINT store_shifts_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT store_shifts_baristas_range CHECK (baristas BETWEEN 1 AND 50)
);
CREATE INDEX store_shifts_day_idx ON store_shifts (day);
