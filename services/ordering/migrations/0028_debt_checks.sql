-- What ordering knows of the debts of consumers, so that payments is not asked for each order. Without a row, or after `clear_until`,
-- payments is asked.
CREATE TABLE debt_checks (
    consumer_id uuid PRIMARY KEY,
    -- Number of debts that payments has announced. A response of payments is not recorded if this changed since the question.
    announced_debts bigint NOT NULL DEFAULT 0,
    -- Payments reported no debts, and announced none since. NULL: payments has to be asked.
    clear_until timestamptz
);
