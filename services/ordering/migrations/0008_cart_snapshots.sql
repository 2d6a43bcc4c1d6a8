-- A saved cart as it was priced when it was saved: finds what changed since. Carts saved before have none.
ALTER TABLE saved_carts ADD COLUMN snapshot jsonb;
