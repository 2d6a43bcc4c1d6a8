-- In a separate migration: the lock of ADD COLUMN lasts until its transaction ends.
UPDATE consumers SET verified_email = email WHERE email_verified_at IS NOT NULL;
