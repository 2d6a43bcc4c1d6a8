-- Inserts $2 copies of the imported stores, numbered from $1.
WITH templates AS (
  SELECT *, row_number() OVER (ORDER BY store_number) - 1 AS number, count(*) OVER () AS total
  FROM stores WHERE store_number NOT LIKE 'load-%' AND store_number NOT LIKE 'scale-%'
), copies AS (
  SELECT gen_random_uuid() AS store_id, n, place.company_id, other.name, place.city, place.region, place.time_zone,
    place.tax_rate_ppm, companies.name AS company_name,
    (1 + floor(random() * 9998))::integer || ' ' || regexp_replace(street.street, '^[0-9]+ ', '') AS street,
    lpad((floor(random() * 99999))::integer::text, 5, '0') AS postcode,
    -- Two thirds are in the city, the others around it.
    (random() + random() - 1) * CASE WHEN n % 3 = 0 THEN 3 ELSE 0.3 END + place.latitude AS latitude,
    (random() + random() - 1) * CASE WHEN n % 3 = 0 THEN 4 ELSE 0.4 END + place.longitude AS longitude
  FROM generate_series($1::bigint, $1::bigint + $2::bigint - 1) AS n
  JOIN templates AS place ON place.number = n % place.total
  JOIN templates AS other ON other.number = (n / 7 + n) % other.total
  JOIN templates AS street ON street.number = (n / 11 + n) % street.total
  JOIN companies ON companies.company_id = place.company_id
), inserted AS (
  INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone, latitude, longitude,
    time_zone, tax_rate_ppm, curbside, baristas, search_text)
  SELECT store_id, company_id, 'scale-' || n, name, street, city, region, postcode, '', latitude, longitude, time_zone,
    tax_rate_ppm, n % 5 = 0, 2,
    lower(unaccent(concat_ws(' ', company_name, name, street, city, region, postcode)))
  FROM copies RETURNING store_id
)
INSERT INTO store_hours (store_id, weekday, opens_minute, closes_minute)
SELECT store_id, 1 + abs(hashtext(store_id::text)::bigint) % 7, 360, 1200 FROM inserted
