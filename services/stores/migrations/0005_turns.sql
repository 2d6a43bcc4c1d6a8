-- Counts, for each store, what changes the minutes that it can promise: a reservation, a pause, more or fewer baristas.
-- A plan is written only while the count is the one that it was made at, so that planning holds no lock. The row comes
-- with the first change; where there is none, the count is 0.

CREATE TABLE store_turns (
    store_id uuid   NOT NULL,
    turn     bigint NOT NULL,
    CONSTRAINT store_turns_pkey PRIMARY KEY (store_id),
    CONSTRAINT store_turns_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE
) WITH (fillfactor = 50); -- Changed with every order: room on each page, so that the index need not follow.
