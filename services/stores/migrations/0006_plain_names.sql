-- Renames tables, columns and constraints. All data is kept.

ALTER TABLE store_turns RENAME TO store_schedule_versions;
ALTER TABLE store_schedule_versions RENAME COLUMN turn TO version;
ALTER TABLE store_schedule_versions RENAME CONSTRAINT store_turns_pkey TO store_schedule_versions_pkey;
ALTER TABLE store_schedule_versions RENAME CONSTRAINT store_turns_store_fkey TO store_schedule_versions_store_fkey;

ALTER TABLE make_slices RENAME TO capacity_slots;
ALTER TABLE capacity_slots RENAME COLUMN slice TO slot;
ALTER TABLE capacity_slots RENAME CONSTRAINT make_slices_pkey TO capacity_slots_pkey;
ALTER TABLE capacity_slots RENAME CONSTRAINT make_slices_store_fkey TO capacity_slots_store_fkey;
ALTER TABLE capacity_slots RENAME CONSTRAINT make_slices_not_negative TO capacity_slots_not_negative;
ALTER TABLE capacity_slots RENAME CONSTRAINT make_slices_not_overbooked TO capacity_slots_not_overbooked;
ALTER INDEX make_slices_slice_idx RENAME TO capacity_slots_slot_idx;

ALTER TABLE reservations RENAME COLUMN slices TO slots;
ALTER TABLE reservations RENAME COLUMN seconds TO slot_seconds;
ALTER TABLE reservations RENAME CONSTRAINT reservations_slices_match TO reservations_slots_match;
ALTER TABLE reservations RENAME CONSTRAINT reservations_held_or_closed TO reservations_active_or_released;
ALTER INDEX reservations_over_idx RENAME TO reservations_ended_idx;

ALTER TABLE sizes RENAME COLUMN scale TO cup_size;
ALTER TABLE sizes RENAME CONSTRAINT sizes_scale_unique TO sizes_cup_size_unique;
ALTER TABLE sizes RENAME CONSTRAINT sizes_scale_known TO sizes_cup_size_known;
ALTER TABLE sizes RENAME CONSTRAINT sizes_facts_positive TO sizes_nutrition_not_negative;
ALTER TABLE choice_prices RENAME COLUMN scale TO cup_size;
ALTER TABLE choice_prices RENAME CONSTRAINT choice_prices_scale_known TO choice_prices_cup_size_known;
