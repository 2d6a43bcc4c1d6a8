-- What was asked long ago is found by its age (see prune.rs), not by reading every key.
CREATE INDEX idempotency_started_at_idx ON idempotency (started_at);
