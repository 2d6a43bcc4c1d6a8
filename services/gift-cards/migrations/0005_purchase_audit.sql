-- Progress of the incremental audit of purchases.
CREATE TABLE purchase_audit_progress (
    is_only_row boolean     NOT NULL DEFAULT true,
    -- Start of the newest audit without findings.
    audited_at  timestamptz NOT NULL,
    CONSTRAINT purchase_audit_progress_pkey PRIMARY KEY (is_only_row),
    CONSTRAINT purchase_audit_progress_one_row CHECK (is_only_row)
);

-- Also finds the purchases that have not ended.
CREATE INDEX purchases_by_end ON purchases (ended_at);
