-- Each order that waits for an authentication has a lease, so that the index of unfinished orders finds it.
UPDATE orders SET awaits_authentication = true, client_secret = '-'
WHERE status = 'payment_pending' AND client_secret <> '';
