-- Clusters of the map at each zoom level, and the words by which stores are found. Triggers keep both equal to the stores.

-- The cell of the finest level (14) that contains a place, in the Web Mercator grid. A cell of level n is found by dropping
-- 14 - n bits.
CREATE FUNCTION map_cell_x(longitude double precision) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN least(16383, floor((longitude + 180) / 360 * 16384))::integer;

CREATE FUNCTION map_cell_y(latitude double precision) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN least(16383, floor((0.5 - ln(tan(pi() / 4 + radians(least(85, greatest(-85, latitude))) / 2)) / (2 * pi())) * 16384))::integer;

-- Puts a zero bit before each of the lower 14 bits.
CREATE FUNCTION spread_bits(bits integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT (c | (c << 1)) & x'55555555'::integer FROM
       (SELECT (b | (b << 2)) & x'33333333'::integer AS c FROM
       (SELECT (a | (a << 4)) & x'0F0F0F0F'::integer AS b FROM
       (SELECT (bits | (bits << 8)) & x'00FF00FF'::integer AS a) AS a) AS b) AS c);

-- The number of the cell on a Z-order curve: the cells within a cell of a coarser level have consecutive numbers.
CREATE FUNCTION map_cell(latitude double precision, longitude double precision) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN spread_bits(map_cell_x(longitude)) | (spread_bits(map_cell_y(latitude)) << 1);

CREATE FUNCTION distinct_words(search_text text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT DISTINCT word FROM regexp_split_to_table(search_text, '[^[:alnum:]]+') AS word WHERE word <> '' $$;

-- Sums are exact, in units of 1e-7 degrees.
CREATE TABLE store_cells (
    level         smallint NOT NULL,
    x             integer  NOT NULL,
    y             integer  NOT NULL,
    curbside      boolean  NOT NULL,
    stores        bigint   NOT NULL,
    latitude_sum  bigint   NOT NULL,
    longitude_sum bigint   NOT NULL,
    CONSTRAINT store_cells_pkey PRIMARY KEY (level, x, y, curbside),
    CONSTRAINT store_cells_level_range CHECK (level BETWEEN 0 AND 14),
    CONSTRAINT store_cells_stores_not_negative CHECK (stores >= 0)
);

CREATE TABLE store_words (
    word     text    COLLATE "C" NOT NULL,
    cell     integer NOT NULL,
    store_id uuid    NOT NULL,
    CONSTRAINT store_words_pkey PRIMARY KEY (word, cell, store_id)
);

-- Each word with the number of stores that have it.
CREATE TABLE search_words (
    word   text   COLLATE "C" NOT NULL,
    stores bigint NOT NULL,
    CONSTRAINT search_words_pkey PRIMARY KEY (word),
    CONSTRAINT search_words_stores_not_negative CHECK (stores >= 0)
);

CREATE FUNCTION add_to_store_index(changed stores[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO store_cells AS current (level, x, y, curbside, stores, latitude_sum, longitude_sum)
    SELECT level, map_cell_x(longitude) >> (14 - level), map_cell_y(latitude) >> (14 - level), curbside, count(*),
           sum(round(latitude * 1e7)::bigint), sum(round(longitude * 1e7)::bigint)
    FROM unnest(changed), generate_series(0, 14) AS level
    GROUP BY 1, 2, 3, 4
    ON CONFLICT ON CONSTRAINT store_cells_pkey DO UPDATE
    SET stores = current.stores + excluded.stores,
        latitude_sum = current.latitude_sum + excluded.latitude_sum,
        longitude_sum = current.longitude_sum + excluded.longitude_sum;

    INSERT INTO store_words (word, cell, store_id)
    SELECT word, map_cell(latitude, longitude), store_id
    FROM unnest(changed), distinct_words(search_text) AS word;

    INSERT INTO search_words AS current (word, stores)
    SELECT word, count(*) FROM unnest(changed), distinct_words(search_text) AS word
    GROUP BY word
    ON CONFLICT ON CONSTRAINT search_words_pkey DO UPDATE SET stores = current.stores + excluded.stores;
$$;

CREATE FUNCTION remove_from_store_index(changed stores[]) RETURNS void LANGUAGE sql AS $$
    UPDATE store_cells AS current
    SET stores = current.stores - removed.stores,
        latitude_sum = current.latitude_sum - removed.latitude_sum,
        longitude_sum = current.longitude_sum - removed.longitude_sum
    FROM (SELECT level, map_cell_x(longitude) >> (14 - level) AS x, map_cell_y(latitude) >> (14 - level) AS y, curbside,
                 count(*) AS stores, sum(round(latitude * 1e7)::bigint) AS latitude_sum,
                 sum(round(longitude * 1e7)::bigint) AS longitude_sum
          FROM unnest(changed), generate_series(0, 14) AS level
          GROUP BY 1, 2, 3, 4) AS removed
    WHERE (current.level, current.x, current.y, current.curbside)
        = (removed.level, removed.x, removed.y, removed.curbside);

    DELETE FROM store_words USING unnest(changed) AS removed, distinct_words(removed.search_text) AS removed_word
    WHERE store_words.word = removed_word AND store_words.cell = map_cell(removed.latitude, removed.longitude)
      AND store_words.store_id = removed.store_id;

    UPDATE search_words AS current SET stores = current.stores - removed.stores
    FROM (SELECT word, count(*) AS stores FROM unnest(changed), distinct_words(search_text) AS word
          GROUP BY word) AS removed
    WHERE current.word = removed.word;
$$;

-- One transaction at a time changes the index: all of them change the same rows, the coarse cells and the common words.
CREATE FUNCTION update_store_index() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    removed stores[];
    added stores[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(new_row) INTO added FROM new_rows AS new_row;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(old_row) INTO removed FROM old_rows AS old_row;
    ELSE
        SELECT array_agg(old_row), array_agg(new_row) INTO removed, added
        FROM old_rows AS old_row JOIN new_rows AS new_row USING (store_id)
        WHERE (old_row.latitude, old_row.longitude, old_row.curbside, old_row.search_text)
           IS DISTINCT FROM (new_row.latitude, new_row.longitude, new_row.curbside, new_row.search_text);
    END IF;
    IF removed IS NULL AND added IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('store index'));
    IF removed IS NOT NULL THEN
        PERFORM remove_from_store_index(removed);
    END IF;
    IF added IS NOT NULL THEN
        PERFORM add_to_store_index(added);
    END IF;
    RETURN NULL;
END $$;

DROP INDEX stores_search_idx;
-- Stores are also found by state and postcode.
UPDATE stores SET search_text = concat_ws(' ', search_text, lower(region), left(postcode, 5));
SELECT add_to_store_index(array_agg(store)) FROM stores AS store;

CREATE TRIGGER stores_index_insert AFTER INSERT ON stores
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION update_store_index();
CREATE TRIGGER stores_index_update AFTER UPDATE ON stores
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION update_store_index();
CREATE TRIGGER stores_index_delete AFTER DELETE ON stores
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION update_store_index();

-- After the rows, which are many if the database has stores.
CREATE INDEX search_words_similar_idx ON search_words USING gin (word gin_trgm_ops);
CREATE INDEX stores_company_place_idx ON stores (company_id, region, city);
DROP INDEX stores_company_idx;

-- A picture that replaces the drawn one.
ALTER TABLE stores ADD COLUMN photo_url text;
ALTER TABLE stores ADD CONSTRAINT stores_photo_url_valid CHECK (photo_url ~ '^https://' AND length(photo_url) <= 500);
CREATE INDEX stores_curbside_map_idx ON stores USING gist (point(longitude, latitude)) WHERE curbside;
