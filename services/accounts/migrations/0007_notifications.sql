-- For quiet hours: IANA name of the consumer's zone; empty if unknown.
ALTER TABLE consumers ADD COLUMN time_zone text NOT NULL DEFAULT '';

-- Devices that get push notifications, while their session is active.
CREATE TABLE push_subscriptions (
    id           uuid CONSTRAINT push_subscriptions_pkey PRIMARY KEY,
    -- A device has one session, and a session one device.
    session_id   uuid NOT NULL CONSTRAINT push_subscriptions_session_id_key UNIQUE
        CONSTRAINT push_subscriptions_session_id_fkey REFERENCES sessions (id) ON DELETE CASCADE,
    -- The address of a browser's push service, or the token of the native app.
    endpoint     text NOT NULL CONSTRAINT push_subscriptions_endpoint_key UNIQUE,
    -- Keys of the browser, with which the content is encrypted. Both are null for the native app.
    p256dh       bytea,
    auth         bytea,
    created_at   timestamptz NOT NULL,
    CONSTRAINT push_subscriptions_keys_check CHECK ((p256dh IS NULL) = (auth IS NULL))
);

-- One row for each inbox message, channel and device. It stays after it was sent, so that it is not sent again.
CREATE TABLE notifications (
    message_id   uuid NOT NULL,
    channel      text NOT NULL,
    -- The push subscription; the nil UUID for the other channels.
    target_id    uuid NOT NULL,
    consumer_id  uuid NOT NULL CONSTRAINT notifications_consumer_id_fkey REFERENCES consumers (id) ON DELETE CASCADE,
    template     text NOT NULL,
    title        text NOT NULL,
    body         text NOT NULL,
    order_id     text NOT NULL,
    created_at   timestamptz NOT NULL,
    -- Later than created_at in quiet hours.
    send_after   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    state        text NOT NULL DEFAULT 'queued',
    leased_until timestamptz,
    attempts     integer NOT NULL DEFAULT 0,
    CONSTRAINT notifications_pkey PRIMARY KEY (message_id, channel, target_id),
    CONSTRAINT notifications_channel_check CHECK (channel IN ('push', 'sms', 'email')),
    -- unclear: it may have been sent, and is not sent again. withheld: the consumer turned it off or signed out.
    CONSTRAINT notifications_state_check
        CHECK (state IN ('queued', 'sending', 'sent', 'rejected', 'unclear', 'withheld'))
);
CREATE INDEX notifications_due_idx ON notifications (send_after) WHERE state IN ('queued', 'sending');
CREATE INDEX notifications_consumer_idx ON notifications (consumer_id);
CREATE INDEX notifications_created_at_idx ON notifications (created_at);
