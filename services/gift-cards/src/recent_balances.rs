//! JoePass balances that were read a moment ago, so that the hold of an order needs no other read after the check of its
//! payment method.
//!
//! A hold is written only if the balance is unchanged, so that it never depends on an outdated one. See
//! `docs/decisions/0035-recent-reads.md`.

use std::time::Duration;

use moka::sync::Cache;
use types::ConsumerId;

use crate::db::hold_step::ReadBalance;

/// An order holds value within a second after the check of its payment method.
const MAX_AGE: Duration = Duration::from_secs(2);
const MAX_CONSUMERS: u64 = 10_000;

#[derive(Debug, Clone)]
pub struct RecentBalances(Cache<ConsumerId, ReadBalance>);

impl Default for RecentBalances {
    fn default() -> Self {
        Self(
            Cache::builder()
                .max_capacity(MAX_CONSUMERS)
                .time_to_live(MAX_AGE)
                .build(),
        )
    }
}

impl RecentBalances {
    pub(crate) fn insert(&self, consumer_id: ConsumerId, balance: ReadBalance) {
        self.0.insert(consumer_id, balance);
    }

    /// Returns the balance, for one hold only: it changes the balance.
    pub(crate) fn take(&self, consumer_id: ConsumerId) -> Option<ReadBalance> {
        self.0.remove(&consumer_id)
    }
}
