-- Finds old tombstones, which are deleted.
CREATE INDEX claims_closed ON claims (created_at) WHERE state = 'closed';
