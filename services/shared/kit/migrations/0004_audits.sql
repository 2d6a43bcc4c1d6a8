-- Audits that compare the rows of a service with the records of other services, by this database's clock.
CREATE TABLE audits (
    name          text        NOT NULL,
    -- Changes before this time were audited. Null before the first audit, which compares all rows.
    audited_until timestamptz,
    -- The time of the next audit. While an audit runs, its lease.
    due_at        timestamptz NOT NULL,
    CONSTRAINT audits_pkey PRIMARY KEY (name)
);

-- Differences that the newest audit of their subject found. The next audit compares these subjects again.
CREATE TABLE audit_differences (
    audit      text        NOT NULL,
    subject_id uuid        NOT NULL,
    kind       text        NOT NULL,
    found_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT audit_differences_pkey PRIMARY KEY (audit, subject_id, kind)
);
