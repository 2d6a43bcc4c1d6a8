-- Orders can be paid with Apple Pay and Google Pay.
ALTER TABLE orders
    DROP CONSTRAINT orders_tender_check,
    ADD CONSTRAINT orders_tender_check CHECK (tender IN ('card', 'bank', 'joepass', 'apple', 'google'));
