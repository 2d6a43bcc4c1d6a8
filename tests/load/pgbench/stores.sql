-- The statements that one order causes in the database of stores: ops/resolve_lines.rs, ops/reserve_capacity.rs, the
-- consumer. Menus are cached in memory. Store 1 has the id b0…01.
\set order random(1, 140000000000000)
\set store random(1, :stores)
\set slot random(6000000, 6000004)
-- resolve_lines: a store with its hours, its load and its sold-out items.
SELECT s.store_id, company_id, c.name AS company_name, c.menu_version, s.name, street, city, region, postcode, phone,
  photo_url, latitude, longitude, time_zone, tax_rate_ppm, curbside, baristas, paused, pause_reason, paused_until,
  EXISTS (SELECT FROM favorites f WHERE f.consumer_id = NULL AND f.store_id = s.store_id) AS favorite,
  special_days, special_names, special_opens, special_closes, shift_days, shift_baristas,
  weekdays, opens_minutes, closes_minutes, slots, used_seconds, subjects, subject_ids,
  coalesce((SELECT version FROM store_schedule_versions v WHERE v.store_id = s.store_id), 0) AS schedule_version
FROM stores s JOIN companies c USING (company_id)
CROSS JOIN LATERAL (
  SELECT array_agg(weekday) AS weekdays, array_agg(opens_minute) AS opens_minutes,
    array_agg(closes_minute) AS closes_minutes
  FROM store_hours h WHERE h.store_id = s.store_id) AS hours
CROSS JOIN LATERAL (
  SELECT array_agg(day::text) AS special_days, array_agg(d.name) AS special_names,
    array_agg(opens_minute) AS special_opens, array_agg(closes_minute) AS special_closes
  FROM store_special_days d LEFT JOIN store_special_openings USING (store_id, day)
  WHERE d.store_id = s.store_id) AS special
CROSS JOIN LATERAL (
  SELECT array_agg(day::text) AS shift_days, array_agg(h.baristas) AS shift_baristas
  FROM store_shifts h WHERE h.store_id = s.store_id) AS shifts
CROSS JOIN LATERAL (
  SELECT array_agg(slot) AS slots, array_agg(l.used_seconds) AS used_seconds
  FROM capacity_slots l WHERE l.store_id = s.store_id AND slot BETWEEN :slot AND :slot + 1500) AS load
CROSS JOIN LATERAL (
  SELECT array_agg(subject) AS subjects, array_agg(subject_id) AS subject_ids
  FROM sold_out o WHERE o.store_id = s.store_id) AS unavailable
WHERE s.store_id = ('b' || lpad(to_hex(:store::bigint), 31, '0'))::uuid \gset own_
-- reserve_capacity: the reservation, planned with the store that the pricing has read (recent_snapshots.rs).
WITH incremented AS (
  INSERT INTO store_schedule_versions AS current (store_id, version)
  VALUES (('b' || lpad(to_hex(:store::bigint), 31, '0'))::uuid, :own_schedule_version::bigint + 1)
  ON CONFLICT ON CONSTRAINT store_schedule_versions_pkey
  DO UPDATE SET version = excluded.version WHERE current.version = :own_schedule_version
  RETURNING store_id
), reserved AS (
  INSERT INTO reservations (order_id, store_id, make_seconds, start_at, ready_at, slots, slot_seconds, reserved_at)
  SELECT lpad(to_hex(:order::bigint), 32, '0')::uuid, store_id, 70, now(), now() + interval '5 minutes',
    ARRAY[:slot::bigint], ARRAY[70], now() FROM incremented
  ON CONFLICT ON CONSTRAINT reservations_pkey DO NOTHING
  RETURNING store_id
), allocated AS (
  INSERT INTO capacity_slots (store_id, slot, used_seconds, capacity_seconds)
  SELECT store_id, slot, allocation.seconds, allocation.capacity
  FROM reserved, unnest(ARRAY[:slot::bigint], ARRAY[70], ARRAY[1000000]) AS allocation (slot, seconds, capacity)
  ORDER BY slot
  ON CONFLICT ON CONSTRAINT capacity_slots_pkey DO UPDATE
  SET used_seconds = capacity_slots.used_seconds + excluded.used_seconds,
      capacity_seconds = greatest(capacity_slots.capacity_seconds, excluded.capacity_seconds)
) SELECT EXISTS (SELECT FROM incremented), EXISTS (SELECT FROM reserved);
-- consumers/mod.rs: the record of the event of the placed order, and the webhook subscriptions to it. The real consumer does this
-- for several events at once.
BEGIN;
INSERT INTO consumed_events (event_id)
SELECT id FROM unnest(ARRAY[lpad(to_hex(:order::bigint), 32, '0')::uuid]) AS event (id) ORDER BY id
ON CONFLICT DO NOTHING RETURNING event_id;
SELECT subscription_id FROM webhook_subscriptions JOIN stores USING (company_id)
WHERE store_id = ('b' || lpad(to_hex(:store::bigint), 31, '0'))::uuid AND 'order_placed' = ANY (event_kinds);
COMMIT;
