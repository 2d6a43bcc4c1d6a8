//! The reserved capacity of a store in the next hour, as its staff see it.

use jiff::Timestamp;

use super::{
    capacity::{SLOT_SECONDS, slot_at, slot_start},
    store::StoreSnapshot,
};

pub(crate) const LOAD_SLOTS: i64 = 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoadSlot {
    pub(crate) start_at: Timestamp,
    pub(crate) reserved_seconds: i64,
    /// 0 while the store is closed.
    pub(crate) capacity_seconds: i64,
}

/// Returns the slots of the next hour, with the current one. The snapshot has their load.
pub(crate) fn load_of(snapshot: &StoreSnapshot, now: Timestamp) -> Vec<LoadSlot> {
    let store = &snapshot.store;
    let periods = store.hours.open_periods(&store.zone, now, 1);
    let first = slot_at(now);
    (first..first + LOAD_SLOTS)
        .map(|slot| {
            let start_at = slot_start(slot);
            let end = start_at.as_second() + SLOT_SECONDS;
            let is_open = periods
                .iter()
                .any(|period| period.start.as_second() < end && start_at < period.end);
            LoadSlot {
                start_at,
                reserved_seconds: snapshot.load.get(&slot).copied().unwrap_or_default(),
                capacity_seconds: if is_open {
                    store.staffing.capacity_seconds(slot)
                } else {
                    0
                },
            }
        })
        .collect()
}
