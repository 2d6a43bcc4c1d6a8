-- Each purchase that waits for an authentication has a lease, so that the index of unfinished purchases finds it.
UPDATE purchases SET client_secret = '' WHERE lease_until IS NOT NULL AND client_secret <> '';
