-- Holds run out at the bank after some days, and its word may be lost: they are looked at, too.
CREATE INDEX charges_open ON charges (updated_at)
    WHERE state IN ('pending', 'requires_action', 'processing', 'authorized');
DROP INDEX charges_undecided;
