-- The audit of ordering reads the holds that changed.
CREATE INDEX holds_by_change ON holds (changed_at);
