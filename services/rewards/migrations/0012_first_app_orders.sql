-- Codes for the first order of a consumer in the native app.
ALTER TABLE promos ADD COLUMN is_first_app_order boolean NOT NULL DEFAULT false;
UPDATE promos SET is_first_app_order = true WHERE code = 'WELCOME3';

-- Whether the order was placed in the native app; false for orders that were completed before this version.
ALTER TABLE order_points ADD COLUMN is_in_app boolean NOT NULL DEFAULT false;
