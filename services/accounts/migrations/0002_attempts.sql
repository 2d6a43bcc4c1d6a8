-- One name for attempts to enter a code. Messages expire.
ALTER TABLE tries RENAME TO sign_in_attempts;
ALTER TABLE sign_in_attempts RENAME CONSTRAINT tries_pkey TO sign_in_attempts_pkey;
ALTER TABLE sign_in_attempts RENAME COLUMN device TO device_hash;
ALTER TABLE challenges RENAME COLUMN tries TO attempts;
ALTER TABLE devices RENAME COLUMN device TO device_hash;
ALTER TABLE messages RENAME COLUMN give_up_at TO expires_at;
