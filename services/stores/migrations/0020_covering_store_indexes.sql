-- Lists, searches and small maps read these indexes and not the rows of stores, which are at random places of the table.

CREATE INDEX stores_nearest_idx ON stores USING gist (place) INCLUDE (store_id, curbside, search_text);
DROP INDEX stores_place_idx;

CREATE INDEX stores_view_idx ON stores USING gist (point(longitude, latitude))
INCLUDE (store_id, curbside, longitude, latitude);
DROP INDEX stores_map_idx;

CREATE INDEX stores_curbside_view_idx ON stores USING gist (point(longitude, latitude))
INCLUDE (store_id, curbside, longitude, latitude) WHERE curbside;
DROP INDEX stores_curbside_map_idx;

-- The hours of a store are read from the index.
ALTER TABLE store_hours DROP CONSTRAINT store_hours_pkey,
    ADD CONSTRAINT store_hours_pkey PRIMARY KEY (store_id, weekday, opens_minute) INCLUDE (closes_minute);
