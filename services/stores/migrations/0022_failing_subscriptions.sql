-- A subscription whose newest attempt failed gets few sends at a time.
ALTER TABLE webhook_subscriptions ADD COLUMN is_failing boolean NOT NULL DEFAULT false;
