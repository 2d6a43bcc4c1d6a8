-- Effects are retried until they succeed, can never succeed, or the hold that they capture or void has ended.

ALTER TABLE charges ADD COLUMN hold_ends_at timestamptz;
COMMENT ON COLUMN charges.hold_ends_at IS 'When the bank releases the hold: from then on the amount can no longer be captured.';
-- Most banks hold an amount for seven days.
UPDATE charges SET hold_ends_at = created_at + interval '7 days' WHERE state = 'authorized';

ALTER TABLE effects
    ADD COLUMN failure_code text,
    ADD COLUMN last_error text,
    ADD COLUMN finished_at timestamptz;
COMMENT ON COLUMN effects.failure_code IS 'Why the effect can never succeed: the code of the provider, or hold_ended.';
COMMENT ON COLUMN effects.last_error IS 'The error of the latest attempt, for people.';
COMMENT ON COLUMN effects.created_at IS 'When the effect was last planned.';

-- Earlier releases failed an effect after a number of attempts, whatever the error was.
UPDATE effects SET state = 'planned', attempts = 0, due_at = now(), created_at = now(), key_version = key_version + 1
WHERE state = 'failed';

CREATE INDEX effects_failed ON effects (created_at) WHERE state = 'failed';
CREATE INDEX effects_done ON effects (coalesce(finished_at, created_at)) WHERE state = 'done';
CREATE INDEX charges_refund_due ON charges (updated_at) WHERE state = 'succeeded' AND target_state = 'released';
CREATE INDEX provider_events_received ON provider_events (received_at);
