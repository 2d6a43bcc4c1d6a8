-- When the event that the notification reports happened. Null in rows of earlier releases.
ALTER TABLE notifications ADD COLUMN occurred_at timestamptz;
