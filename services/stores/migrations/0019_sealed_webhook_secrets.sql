-- Secrets of webhooks are encrypted by the service: nonce (12 bytes), secret (32) and tag (16). Those from before have 32 bytes until
-- `stores webhooks encrypt-secrets`.
ALTER TABLE webhook_subscriptions
    DROP CONSTRAINT webhook_subscriptions_secret_length,
    ADD CONSTRAINT webhook_subscriptions_secret_length CHECK (octet_length(secret) IN (32, 60)),
    ADD CONSTRAINT webhook_subscriptions_previous_secret_length CHECK (octet_length(previous_secret) IN (32, 60));
