//! Snapshots of stores that were read a moment ago, so that the reservation of an order needs no other read after its pricing.
//!
//! A reservation is written only if the version of the store's schedule is unchanged, so that it never depends on an outdated
//! snapshot. See `docs/decisions/0035-recent-reads.md`.

use std::{ops::RangeInclusive, sync::Arc, time::Duration};

use moka::{ops::compute::Op, sync::Cache};
use types::StoreId;

use crate::domain::{capacity::CapacityPlan, store::StoreSnapshot};

/// An order reserves capacity within a second after its pricing.
const MAX_AGE: Duration = Duration::from_secs(2);
const MAX_STORES: u64 = 2_000;

#[derive(Debug, Clone)]
pub(crate) struct RecentSnapshot {
    /// The slots with a known load.
    slots: RangeInclusive<i64>,
    pub(crate) snapshot: StoreSnapshot,
}

#[derive(Debug)]
pub(crate) struct RecentSnapshots(Cache<StoreId, Arc<RecentSnapshot>>);

impl Default for RecentSnapshots {
    fn default() -> Self {
        Self(
            Cache::builder()
                .max_capacity(MAX_STORES)
                .time_to_live(MAX_AGE)
                .build(),
        )
    }
}

impl RecentSnapshots {
    /// Keeps a snapshot that was read now, unless a newer one is known.
    pub(crate) fn insert(&self, slots: RangeInclusive<i64>, snapshot: StoreSnapshot) {
        let store_id = snapshot.store.id;
        self.0.entry(store_id).and_compute_with(|known| match known {
            Some(known) if known.value().snapshot.schedule_version > snapshot.schedule_version => Op::Nop,
            _ => Op::Put(Arc::new(RecentSnapshot { slots, snapshot })),
        });
    }

    /// Returns a snapshot with the load of the slots.
    pub(crate) fn get(&self, store_id: StoreId, slots: &RangeInclusive<i64>) -> Option<Arc<RecentSnapshot>> {
        let recent = self.0.get(&store_id)?;
        let is_known = recent.slots.contains(slots.start()) && recent.slots.contains(slots.end());
        is_known.then_some(recent)
    }

    /// Replaces a snapshot by that after a reservation that was planned with it. Another order that was priced at the same
    /// time then needs no other read.
    pub(crate) fn add_reservation(&self, planned_with: &RecentSnapshot, plan: &CapacityPlan) {
        let RecentSnapshot { slots, mut snapshot } = planned_with.clone();
        snapshot.schedule_version += 1;
        for allocation in &plan.allocations {
            *snapshot.load.entry(allocation.slot).or_default() += allocation.seconds;
        }
        self.insert(slots, snapshot);
    }

    pub(crate) fn remove(&self, store_id: StoreId) {
        self.0.invalidate(&store_id);
    }
}
