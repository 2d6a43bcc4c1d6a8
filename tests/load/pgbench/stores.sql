-- What one order asks of stores' database: ops/resolve_lines.rs, ops/reserve.rs. The menu is in memory there.
\set order random(1, 140000000000000)
\set store random(1, :stores)
\set slice random(6000000, 6000004)
SELECT store_id FROM load_stores WHERE number = :store \gset
-- The till: store, hours, what is sold out, what is promised.
SELECT s.store_id, company_id, c.name, c.menu_version, s.name, street, city, region, postcode, phone, latitude, longitude,
  time_zone, tax_rate_ppm, curbside, baristas, paused, version,
  EXISTS (SELECT FROM favorites f WHERE f.consumer_id = NULL AND f.store_id = s.store_id)
FROM stores s JOIN companies c USING (company_id) WHERE store_id = :store_id::uuid;
SELECT weekday, opens_minute, closes_minute FROM store_hours WHERE store_id = :store_id::uuid;
SELECT subject, subject_id FROM sold_out WHERE store_id = :store_id::uuid;
SELECT store_id, slice, used_seconds FROM make_slices
WHERE store_id = :store_id::uuid AND slice BETWEEN :slice AND :slice + 1500;
-- The minutes.
BEGIN;
SELECT 1 FROM stores WHERE store_id = :store_id::uuid FOR NO KEY UPDATE;
SELECT store_id, start_at, ready_at, released_at FROM reservations WHERE order_id = lpad(to_hex(:order::bigint), 32, '0')::uuid;
SELECT s.store_id, company_id, c.name, c.menu_version, s.name, street, city, region, postcode, phone, latitude, longitude,
  time_zone, tax_rate_ppm, curbside, baristas, paused, version,
  EXISTS (SELECT FROM favorites f WHERE f.consumer_id = NULL AND f.store_id = s.store_id)
FROM stores s JOIN companies c USING (company_id) WHERE store_id = :store_id::uuid;
SELECT weekday, opens_minute, closes_minute FROM store_hours WHERE store_id = :store_id::uuid;
SELECT store_id, slice, used_seconds FROM make_slices
WHERE store_id = :store_id::uuid AND slice BETWEEN :slice AND :slice + 1500;
INSERT INTO reservations (order_id, store_id, make_seconds, start_at, ready_at, slices, seconds, reserved_at)
VALUES (lpad(to_hex(:order::bigint), 32, '0')::uuid, :store_id::uuid, 70, now(),
  now() + interval '5 minutes', ARRAY[:slice::bigint], ARRAY[70], now())
ON CONFLICT ON CONSTRAINT reservations_pkey DO NOTHING;
INSERT INTO make_slices (store_id, slice, used_seconds, capacity_seconds)
SELECT :store_id::uuid, slice, seconds, 1000000
FROM unnest(ARRAY[:slice::bigint], ARRAY[70]) AS take (slice, seconds) ORDER BY slice
ON CONFLICT ON CONSTRAINT make_slices_pkey DO UPDATE SET used_seconds = make_slices.used_seconds + excluded.used_seconds;
COMMIT;
