-- Settings of the consumer: channels for notifications, and the vehicle for curbside pickup.
ALTER TABLE consumers
    ADD COLUMN notify_by_push boolean NOT NULL DEFAULT true,
    ADD COLUMN notify_by_sms boolean NOT NULL DEFAULT false,
    ADD COLUMN notify_by_email boolean NOT NULL DEFAULT true,
    ADD COLUMN vehicle text NOT NULL DEFAULT '';
