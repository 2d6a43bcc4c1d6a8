//! Snapshots of stores that were read a moment ago, so that the reservation of an order needs no other read after its pricing.
//!
//! A reservation is written only if the version of the store's schedule is unchanged, so that it never depends on an outdated
//! snapshot. See `docs/decisions/0035-recent-reads.md`.

use std::{ops::RangeInclusive, sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use moka::{ops::compute::Op, sync::Cache};
use types::StoreId;

use crate::domain::{capacity::CapacityPlan, store::StoreSnapshot};

/// An order reserves capacity within a second after its pricing.
const MAX_AGE: SignedDuration = SignedDuration::from_secs(2);
/// Time after which the memory of a snapshot is freed.
const TIME_TO_LIVE: Duration = Duration::from_mins(1);
const MAX_STORES: u64 = 2_000;

#[derive(Debug, Clone)]
pub(crate) struct RecentSnapshot {
    /// When the snapshot was read.
    read_at: Timestamp,
    /// The slots with a known load.
    slots: RangeInclusive<i64>,
    pub(crate) snapshot: StoreSnapshot,
}

impl RecentSnapshot {
    fn is_recent(&self, now: Timestamp) -> bool {
        now.duration_since(self.read_at) < MAX_AGE
    }
}

#[derive(Debug)]
pub(crate) struct RecentSnapshots(Cache<StoreId, Arc<RecentSnapshot>>);

impl Default for RecentSnapshots {
    fn default() -> Self {
        Self(
            Cache::builder()
                .max_capacity(MAX_STORES)
                .time_to_live(TIME_TO_LIVE)
                .build(),
        )
    }
}

impl RecentSnapshots {
    /// Keeps a snapshot that was read at this time, unless one of a later version is known that is not too old.
    pub(crate) fn insert(&self, read_at: Timestamp, slots: RangeInclusive<i64>, snapshot: StoreSnapshot) {
        let version = snapshot.schedule_version;
        let recent = RecentSnapshot {
            read_at,
            slots,
            snapshot,
        };
        self.0
            .entry(recent.snapshot.store.id)
            .and_compute_with(|known| match known {
                Some(known)
                    if known.value().snapshot.schedule_version > version
                        && known.value().is_recent(read_at) =>
                {
                    Op::Nop
                }
                _ => Op::Put(Arc::new(recent)),
            });
    }

    /// Returns a snapshot with the load of the slots, unless it is too old.
    pub(crate) fn get(
        &self,
        store_id: StoreId,
        slots: &RangeInclusive<i64>,
        now: Timestamp,
    ) -> Option<Arc<RecentSnapshot>> {
        let recent = self.0.get(&store_id)?;
        let is_known = recent.slots.contains(slots.start()) && recent.slots.contains(slots.end());
        (is_known && recent.is_recent(now)).then_some(recent)
    }

    /// Replaces a snapshot by that after a reservation that was planned with it. Another order that was priced at the same
    /// time then needs no other read.
    pub(crate) fn add_reservation(&self, planned_with: &RecentSnapshot, plan: &CapacityPlan) {
        let RecentSnapshot {
            read_at,
            slots,
            mut snapshot,
        } = planned_with.clone();
        snapshot.schedule_version += 1;
        for allocation in &plan.allocations {
            *snapshot.load.entry(allocation.slot).or_default() += allocation.seconds;
        }
        self.insert(read_at, slots, snapshot);
    }

    pub(crate) fn remove(&self, store_id: StoreId) {
        self.0.invalidate(&store_id);
    }
}
