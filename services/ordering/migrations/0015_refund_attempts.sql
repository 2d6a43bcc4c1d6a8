-- Refunds that cannot be executed are tried again at growing intervals, so that they do not delay others.
ALTER TABLE order_refunds
    ADD COLUMN attempts        integer     NOT NULL DEFAULT 0,
    ADD COLUMN next_attempt_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE order_refunds ALTER COLUMN next_attempt_at DROP DEFAULT;
