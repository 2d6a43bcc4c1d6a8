-- Counts of orders that were made, by the UTC day on which they were ready: how many there were, and how many of them were
-- ready at the time that was promised first.
CREATE TABLE promises (
    store_id uuid   NOT NULL,
    day      date   NOT NULL,
    orders   bigint NOT NULL,
    kept     bigint NOT NULL,
    CONSTRAINT promises_pkey PRIMARY KEY (store_id, day),
    CONSTRAINT promises_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT promises_kept_check CHECK (kept BETWEEN 0 AND orders AND orders > 0)
);
CREATE INDEX promises_day_idx ON promises (day);
