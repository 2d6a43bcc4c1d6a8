-- Why the payment was declined, from the event about the charge. Empty without such an event.
ALTER TABLE purchases
    ADD COLUMN decline_reason  text NOT NULL DEFAULT '',
    ADD COLUMN decline_message text NOT NULL DEFAULT '';
