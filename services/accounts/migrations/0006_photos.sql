-- The photo of the consumer. The file is in the photo store.
ALTER TABLE consumers ADD COLUMN photo_id uuid;

-- Files to delete from the photo store: replaced photos, those of removed consumers, and uploads that did not finish. A row
-- is written before its file.
CREATE TABLE photo_deletions (
    photo_id     uuid CONSTRAINT photo_deletions_pkey PRIMARY KEY,
    delete_after timestamptz NOT NULL
);
CREATE INDEX photo_deletions_delete_after_idx ON photo_deletions (delete_after);
