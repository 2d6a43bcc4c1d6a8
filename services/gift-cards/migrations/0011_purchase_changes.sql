-- The audit of money compares the purchases that ended with their charges, by this database's clock.
ALTER TABLE purchases ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();
