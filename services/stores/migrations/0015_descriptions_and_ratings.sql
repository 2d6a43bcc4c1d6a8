-- What a company says about itself to consumers; empty if unknown.
ALTER TABLE companies ADD COLUMN description text NOT NULL DEFAULT '',
    ADD CONSTRAINT companies_description_check CHECK (char_length(description) <= 500);

-- Counts of ratings of orders, by the UTC day on which they were sent.
CREATE TABLE ratings (
    store_id uuid   NOT NULL,
    day      date   NOT NULL,
    ratings  bigint NOT NULL,
    stars    bigint NOT NULL,
    CONSTRAINT ratings_pkey PRIMARY KEY (store_id, day),
    CONSTRAINT ratings_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT ratings_stars_check CHECK (ratings > 0 AND stars BETWEEN ratings AND 5 * ratings)
);
CREATE INDEX ratings_day_idx ON ratings (day);
