-- Devices that signed in to a store. Failed attempts on other devices do not count against them.

CREATE TABLE staff_devices (
    store_id    uuid        NOT NULL,
    -- SHA-256 of the device id, which has 122 random bits.
    device_hash bytea       NOT NULL,
    seen_at     timestamptz NOT NULL,
    CONSTRAINT staff_devices_pkey PRIMARY KEY (store_id, device_hash),
    CONSTRAINT staff_devices_store_fkey FOREIGN KEY (store_id) REFERENCES stores ON DELETE CASCADE,
    CONSTRAINT staff_devices_hash_length CHECK (octet_length(device_hash) = 32)
);
CREATE INDEX staff_devices_seen_idx ON staff_devices (seen_at);

-- Empty for a device that did not sign in to the store before.
ALTER TABLE staff_attempts ADD COLUMN device_hash bytea NOT NULL DEFAULT '';
CREATE INDEX staff_attempts_device_idx ON staff_attempts (store_code, device_hash, attempted_at);
