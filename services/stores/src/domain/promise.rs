//! Measures how often orders of a store are ready on time.

use std::time::Duration;

use jiff::{Timestamp, civil::Date};
use types::StoreId;

use super::suggestions::utc_day;

/// Promised times are shown in whole minutes, so an order is on time until the end of the minute.
const GRACE: Duration = Duration::from_mins(1);

/// A rate of fewer orders is not meaningful.
const MIN_ORDERS: i64 = 20;

/// A prepared order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReadyOrder {
    pub(crate) store_id: StoreId,
    /// The ready time that was promised first. A delay does not change it.
    pub(crate) first_ready_at: Timestamp,
    pub(crate) made_at: Timestamp,
}

impl ReadyOrder {
    pub(crate) fn day(&self) -> Date {
        utc_day(self.made_at)
    }

    pub(crate) fn is_on_time(&self) -> bool {
        self.made_at < self.first_ready_at + GRACE
    }
}

/// The orders of the last 30 days, and how many of them were on time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PromiseRecord {
    pub(crate) orders: i64,
    pub(crate) kept: i64,
}

impl PromiseRecord {
    /// Returns `None` if there are too few orders to publish.
    pub(crate) fn published(self) -> Option<Self> {
        (self.orders >= MIN_ORDERS).then_some(self)
    }

    /// Returns the rate in whole percent, rounded down: 100 means that every order was on time.
    pub(crate) const fn kept_percent(self) -> i64 {
        if self.orders == 0 {
            return 0;
        }
        self.kept * 100 / self.orders
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_on_time_until_the_end_of_the_promised_minute() {
        let first_ready_at: Timestamp = "2026-11-20T16:50:00Z".parse().unwrap();
        for (seconds, expected) in [(-600, true), (0, true), (59, true), (60, false), (600, false)] {
            let made_at = first_ready_at + jiff::SignedDuration::from_secs(seconds);
            let order = ReadyOrder {
                store_id: StoreId::new(first_ready_at),
                first_ready_at,
                made_at,
            };
            assert_eq!(order.is_on_time(), expected, "{seconds}");
        }
    }

    #[test]
    fn a_rate_is_published_from_20_orders_and_rounded_down() {
        let record = |orders, kept| PromiseRecord { orders, kept };
        assert_eq!(record(19, 19).published(), None);
        assert_eq!(record(20, 19).published(), Some(record(20, 19)));
        for (orders, kept, percent) in [(20, 19, 95), (20, 20, 100), (1000, 999, 99), (20, 0, 0)] {
            assert_eq!(record(orders, kept).kept_percent(), percent);
        }
    }
}
