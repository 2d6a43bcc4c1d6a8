-- Client secrets are no longer stored: payments returns the secret of a charge. The column stays for programs of the previous release:
-- they write secrets until they are replaced, and read any text in it as an order that waits for authentication.
ALTER TABLE orders ADD COLUMN awaits_authentication boolean NOT NULL DEFAULT false;
