-- Companies, their stores and when those are open.

CREATE EXTENSION IF NOT EXISTS cube;
CREATE EXTENSION IF NOT EXISTS earthdistance;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;

CREATE TABLE companies (
    company_id   uuid   NOT NULL,
    name         text   NOT NULL,
    -- Counts up with each change of the menu; a cached menu of another version is stale.
    menu_version bigint NOT NULL DEFAULT 0,
    -- Of the source that the menu was last written from, so that seeding again is nothing to do.
    menu_digest  bytea,
    CONSTRAINT companies_pkey PRIMARY KEY (company_id),
    CONSTRAINT companies_name_unique UNIQUE (name),
    CONSTRAINT companies_name_length CHECK (length(name) BETWEEN 1 AND 80)
);

CREATE TABLE stores (
    store_id     uuid             NOT NULL,
    company_id   uuid             NOT NULL,
    -- What the company calls it; what an import knows it by.
    store_number text             NOT NULL,
    name         text             NOT NULL,
    street       text             NOT NULL,
    city         text             NOT NULL,
    region       text             NOT NULL,
    postcode     text             NOT NULL,
    phone        text             NOT NULL,
    latitude     double precision NOT NULL,
    longitude    double precision NOT NULL,
    time_zone    text             NOT NULL,
    tax_rate_ppm bigint           NOT NULL,
    curbside     boolean          NOT NULL,
    baristas     integer          NOT NULL,
    paused       boolean          NOT NULL DEFAULT false,
    version      bigint           NOT NULL DEFAULT 1,
    -- Company, store, street and city in lower case without accents: what a search term is held against.
    search_text  text             NOT NULL,
    -- On the globe in metres: the straight line between two such points grows with the great circle between them,
    -- so that the index below yields true nearest first.
    place        cube             NOT NULL GENERATED ALWAYS AS (ll_to_earth(latitude, longitude)) STORED,
    CONSTRAINT stores_pkey PRIMARY KEY (store_id),
    CONSTRAINT stores_company_fkey FOREIGN KEY (company_id) REFERENCES companies,
    CONSTRAINT stores_number_unique UNIQUE (store_number),
    CONSTRAINT stores_name_length CHECK (length(name) BETWEEN 1 AND 120),
    CONSTRAINT stores_latitude_range CHECK (latitude BETWEEN -90 AND 90),
    CONSTRAINT stores_longitude_range CHECK (longitude BETWEEN -180 AND 180),
    CONSTRAINT stores_tax_rate_range CHECK (tax_rate_ppm BETWEEN 0 AND 250000),
    CONSTRAINT stores_baristas_range CHECK (baristas BETWEEN 1 AND 50)
);
CREATE INDEX stores_company_idx ON stores (company_id);
CREATE INDEX stores_place_idx ON stores USING gist (place);
CREATE INDEX stores_map_idx ON stores USING gist (point(longitude, latitude));
CREATE INDEX stores_search_idx ON stores USING gin (search_text gin_trgm_ops);

-- A weekday may have several spans (a break at noon) or none (closed).
CREATE TABLE store_hours (
    store_id      uuid     NOT NULL,
    weekday       smallint NOT NULL,
    opens_minute  smallint NOT NULL,
    closes_minute smallint NOT NULL,
    CONSTRAINT store_hours_pkey PRIMARY KEY (store_id, weekday, opens_minute),
    CONSTRAINT store_hours_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT store_hours_weekday_range CHECK (weekday BETWEEN 1 AND 7),
    CONSTRAINT store_hours_opens_range CHECK (opens_minute BETWEEN 0 AND 1439),
    -- Past 1440 where the store closes after midnight.
    CONSTRAINT store_hours_closes_range CHECK (closes_minute > opens_minute AND closes_minute <= 2880)
);
