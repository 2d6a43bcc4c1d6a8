-- Counts of completed orders by UTC day, for the most ordered items and for suggestions.
CREATE TABLE item_sales (
    store_id uuid   NOT NULL,
    item_id  uuid   NOT NULL,
    day      date   NOT NULL,
    quantity bigint NOT NULL,
    CONSTRAINT item_sales_pkey PRIMARY KEY (store_id, item_id, day),
    CONSTRAINT item_sales_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT item_sales_quantity_positive CHECK (quantity > 0)
);
CREATE INDEX item_sales_day_idx ON item_sales (day);

-- How many orders contain both items. Each pair has a row in either direction.
CREATE TABLE item_pair_sales (
    store_id      uuid   NOT NULL,
    item_id       uuid   NOT NULL,
    other_item_id uuid   NOT NULL,
    day           date   NOT NULL,
    orders        bigint NOT NULL,
    CONSTRAINT item_pair_sales_pkey PRIMARY KEY (store_id, item_id, other_item_id, day),
    CONSTRAINT item_pair_sales_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT item_pair_sales_orders_positive CHECK (orders > 0),
    CONSTRAINT item_pair_sales_items_differ CHECK (item_id <> other_item_id)
);
CREATE INDEX item_pair_sales_day_idx ON item_pair_sales (day);
