-- A rule with threshold 0 never reloads, because no balance is below zero, and could not be paused. It now reloads an empty balance.
UPDATE auto_reload_rules SET threshold = 1 WHERE is_enabled AND threshold = 0;
