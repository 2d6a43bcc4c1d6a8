-- Writes the tables that triggers keep (0009_finding_stores.sql) again from the stores.
-- For loading many stores in one transaction with disabled triggers.

CREATE FUNCTION rebuild_store_index() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('store index'));
    TRUNCATE store_cells, store_words, search_words;

    INSERT INTO store_cells (level, x, y, curbside, stores, latitude_sum, longitude_sum)
    SELECT 14, map_cell_x(longitude), map_cell_y(latitude), curbside, count(*),
           sum(round(latitude * 1e7)::bigint), sum(round(longitude * 1e7)::bigint)
    FROM stores GROUP BY 2, 3, 4;
    FOR finer_level IN REVERSE 14..1 LOOP
        INSERT INTO store_cells (level, x, y, curbside, stores, latitude_sum, longitude_sum)
        SELECT finer_level - 1, x >> 1, y >> 1, curbside, sum(stores), sum(latitude_sum), sum(longitude_sum)
        FROM store_cells WHERE level = finer_level GROUP BY 2, 3, 4;
    END LOOP;

    -- An index is built faster than it is filled. OFFSET 0 computes the cell once for each store, not for each word.
    ALTER TABLE store_words DROP CONSTRAINT store_words_pkey;
    INSERT INTO store_words (word, cell, store_id)
    SELECT word, cell, store_id
    FROM (SELECT map_cell(latitude, longitude) AS cell, store_id, search_text FROM stores OFFSET 0) AS placed,
         distinct_words(search_text) AS word;
    ALTER TABLE store_words ADD CONSTRAINT store_words_pkey PRIMARY KEY (word, cell, store_id);
    INSERT INTO search_words (word, stores) SELECT word, count(*) FROM store_words GROUP BY word;
END $$;
