-- What one order asks of stores' database: ops/resolve_lines.rs, ops/reserve.rs. The menu is in memory there.
\set order random(1, 140000000000000)
\set store random(1, :stores)
\set slice random(6000000, 6000004)
SELECT store_id FROM load_stores WHERE number = :store \gset
-- The till: a store with its hours, what it has promised and what it is out of.
SELECT s.store_id, company_id, c.name AS company_name, c.menu_version, s.name, street, city, region, postcode, phone,
  latitude, longitude, time_zone, tax_rate_ppm, curbside, baristas, paused, version,
  EXISTS (SELECT FROM favorites f WHERE f.consumer_id = NULL AND f.store_id = s.store_id) AS favorite,
  weekdays, opens, closes, slices, seconds, subjects, subject_ids,
  coalesce((SELECT turn FROM store_turns t WHERE t.store_id = s.store_id), 0) AS turn
FROM stores s JOIN companies c USING (company_id)
CROSS JOIN LATERAL (
  SELECT array_agg(weekday) AS weekdays, array_agg(opens_minute) AS opens, array_agg(closes_minute) AS closes
  FROM store_hours h WHERE h.store_id = s.store_id) AS hours
CROSS JOIN LATERAL (
  SELECT array_agg(slice) AS slices, array_agg(used_seconds) AS seconds
  FROM make_slices m WHERE m.store_id = s.store_id AND slice BETWEEN :slice AND :slice + 1500) AS load
CROSS JOIN LATERAL (
  SELECT array_agg(subject) AS subjects, array_agg(subject_id) AS subject_ids
  FROM sold_out o WHERE o.store_id = s.store_id) AS missing
WHERE s.store_id = :store_id::uuid;
-- The minutes: the same, and the plan that is made on it.
SELECT s.store_id, company_id, c.name AS company_name, c.menu_version, s.name, street, city, region, postcode, phone,
  latitude, longitude, time_zone, tax_rate_ppm, curbside, baristas, paused, version,
  EXISTS (SELECT FROM favorites f WHERE f.consumer_id = NULL AND f.store_id = s.store_id) AS favorite,
  weekdays, opens, closes, slices, seconds, subjects, subject_ids,
  coalesce((SELECT turn FROM store_turns t WHERE t.store_id = s.store_id), 0) AS turn
FROM stores s JOIN companies c USING (company_id)
CROSS JOIN LATERAL (
  SELECT array_agg(weekday) AS weekdays, array_agg(opens_minute) AS opens, array_agg(closes_minute) AS closes
  FROM store_hours h WHERE h.store_id = s.store_id) AS hours
CROSS JOIN LATERAL (
  SELECT array_agg(slice) AS slices, array_agg(used_seconds) AS seconds
  FROM make_slices m WHERE m.store_id = s.store_id AND slice BETWEEN :slice AND :slice + 1500) AS load
CROSS JOIN LATERAL (
  SELECT array_agg(subject) AS subjects, array_agg(subject_id) AS subject_ids
  FROM sold_out o WHERE o.store_id = s.store_id) AS missing
WHERE s.store_id = :store_id::uuid \gset own_
WITH turn AS (
  INSERT INTO store_turns AS now (store_id, turn) VALUES (:store_id::uuid, :own_turn::bigint + 1)
  ON CONFLICT ON CONSTRAINT store_turns_pkey DO UPDATE SET turn = excluded.turn WHERE now.turn = :own_turn
  RETURNING store_id
), reserved AS (
  INSERT INTO reservations (order_id, store_id, make_seconds, start_at, ready_at, slices, seconds, reserved_at)
  SELECT lpad(to_hex(:order::bigint), 32, '0')::uuid, store_id, 70, now(), now() + interval '5 minutes',
    ARRAY[:slice::bigint], ARRAY[70], now() FROM turn
  ON CONFLICT ON CONSTRAINT reservations_pkey DO NOTHING
  RETURNING store_id
), taken AS (
  INSERT INTO make_slices (store_id, slice, used_seconds, capacity_seconds)
  SELECT store_id, slice, take.seconds, 1000000
  FROM reserved, unnest(ARRAY[:slice::bigint], ARRAY[70]) AS take (slice, seconds) ORDER BY slice
  ON CONFLICT ON CONSTRAINT make_slices_pkey DO UPDATE
  SET used_seconds = make_slices.used_seconds + excluded.used_seconds,
      capacity_seconds = greatest(make_slices.capacity_seconds, excluded.capacity_seconds)
) SELECT EXISTS (SELECT FROM turn), EXISTS (SELECT FROM reserved);
