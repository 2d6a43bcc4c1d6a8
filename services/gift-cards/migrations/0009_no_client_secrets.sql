-- Client secrets are no longer stored: payments returns the secret when the payment is checked. The column stays for programs of the
-- previous version, which write it until they are replaced.
ALTER TABLE purchases DROP CONSTRAINT purchases_secret_while_requires_action;
