-- Finds old tombstones, which are deleted.
CREATE INDEX holds_closed ON holds (created_at) WHERE state = 'closed';
