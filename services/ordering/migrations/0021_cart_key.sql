-- The previous release knows the index by this name.
DROP INDEX orders_cart_key;
ALTER INDEX orders_open_cart_key RENAME TO orders_cart_key;
