-- Lists, searches and small maps read these indexes and not the rows of stores, which are at random places of the table.
-- The indexes are built first: during this time stores can be read, but not written. What stops reads comes last and takes no time.

CREATE INDEX stores_nearest_idx ON stores USING gist (place) INCLUDE (store_id, curbside, search_text);

CREATE INDEX stores_view_idx ON stores USING gist (point(longitude, latitude))
INCLUDE (store_id, curbside, longitude, latitude);

CREATE INDEX stores_curbside_view_idx ON stores USING gist (point(longitude, latitude))
INCLUDE (store_id, curbside, longitude, latitude) WHERE curbside;

-- The hours of a store are read from the index.
CREATE UNIQUE INDEX store_hours_covering_idx ON store_hours (store_id, weekday, opens_minute) INCLUDE (closes_minute);

DROP INDEX stores_place_idx;
DROP INDEX stores_map_idx;
DROP INDEX stores_curbside_map_idx;
ALTER TABLE store_hours DROP CONSTRAINT store_hours_pkey,
    ADD CONSTRAINT store_hours_pkey PRIMARY KEY USING INDEX store_hours_covering_idx;
