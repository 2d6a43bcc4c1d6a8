-- Moves the events that this database published back to its outbox, from where its service publishes them again.
WITH published AS (DELETE FROM published_events RETURNING *)
INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
SELECT event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at
FROM published ORDER BY published_at
ON CONFLICT (event_id) DO NOTHING;
