-- A rule with threshold 0 never reloads, because no balance is below zero, and cannot be paused.
UPDATE auto_reload_rules SET is_enabled = false, due_at = NULL WHERE is_enabled AND threshold = 0;
