-- Where a code applies, and how often a consumer can use it.
ALTER TABLE promos
    -- The company whose stores accept the code; null for all stores. The next import of a company's catalog sets it.
    ADD COLUMN company_id uuid,
    ADD COLUMN company_name text
        CONSTRAINT promos_company_with_name CHECK ((company_id IS NULL) = (company_name IS NULL)),
    -- Claims that each consumer, and each phone number, can have; null for any number. A code with `once` has one.
    ADD COLUMN max_claims_per_consumer bigint
        CONSTRAINT promos_max_claims_per_consumer_positive CHECK (max_claims_per_consumer > 0);
