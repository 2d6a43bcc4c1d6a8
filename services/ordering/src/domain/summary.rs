//! What a store made on a day.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::{Timestamp, civil::Date};

use super::status::Status;

/// Promised times are shown in whole minutes, so an order is on time until the end of the minute.
const GRACE: Duration = Duration::from_mins(1);

/// An order that is promised for the day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryOrder {
    pub status: Status,
    pub is_scheduled: bool,
    pub placed_at: Option<Timestamp>,
    /// The time that was promised first.
    pub first_ready_at: Timestamp,
    pub made_at: Option<Timestamp>,
    pub items: Vec<SummaryItem>,
    /// Stars, if the consumer rated the order.
    pub rating: Option<i16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryItem {
    pub item_id: String,
    pub name: String,
    pub quantity: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreSummary {
    /// In the store's time zone; absent without orders.
    pub day: Option<Date>,
    pub waiting: u32,
    pub scheduled: u32,
    pub made: u32,
    pub kept: u32,
    pub average_wait_seconds: Option<u32>,
    pub rejected: u32,
    pub cancelled: u32,
    pub items_sold: u32,
    /// Of the made orders, most sold first.
    pub items: Vec<SummaryItem>,
    pub ratings: u32,
    pub average_rating_tenths: Option<u32>,
}

impl StoreSummary {
    /// Summarizes the orders that are promised for a day.
    #[must_use]
    pub fn of(day: Option<Date>, orders: &[SummaryOrder]) -> Self {
        let count = |status: &[Status]| {
            to_u32(
                orders
                    .iter()
                    .filter(|order| status.contains(&order.status))
                    .count(),
            )
        };
        let made: Vec<&SummaryOrder> = orders
            .iter()
            .filter(|order| matches!(order.status, Status::Ready | Status::Completed))
            .collect();
        let waits = made.iter().filter_map(|order| order.wait_seconds());
        let ratings = orders
            .iter()
            .filter_map(|order| order.rating)
            .map(|stars| i64::from(stars) * 10);
        let items = items_of(&made);
        Self {
            day,
            waiting: count(&[Status::Placed, Status::Accepted, Status::Preparing]),
            scheduled: count(&[Status::Scheduled]),
            made: to_u32(made.len()),
            kept: to_u32(made.iter().filter(|order| order.is_on_time()).count()),
            average_wait_seconds: average(waits),
            rejected: count(&[Status::Rejected]),
            cancelled: count(&[Status::Cancelled]),
            items_sold: items.iter().map(|item| item.quantity).sum(),
            items,
            ratings: to_u32(ratings.clone().count()),
            average_rating_tenths: average(ratings),
        }
    }

    /// Returns the rate of kept promises in whole percent, rounded down; `None` without made orders.
    #[must_use]
    pub fn kept_percent(&self) -> Option<u32> {
        (self.kept * 100).checked_div(self.made)
    }
}

impl SummaryOrder {
    fn is_on_time(&self) -> bool {
        self.made_at
            .is_some_and(|made_at| made_at < self.first_ready_at + GRACE)
    }

    /// The consumer of a scheduled order does not wait from placing it.
    fn wait_seconds(&self) -> Option<i64> {
        let (placed_at, made_at) = (self.placed_at?, self.made_at?);
        (!self.is_scheduled).then(|| made_at.duration_since(placed_at).as_secs())
    }
}

fn items_of(orders: &[&SummaryOrder]) -> Vec<SummaryItem> {
    let mut by_id: BTreeMap<&str, SummaryItem> = BTreeMap::new();
    for item in orders.iter().flat_map(|order| &order.items) {
        let sold = by_id.entry(&item.item_id).or_insert_with(|| SummaryItem {
            quantity: 0,
            ..item.clone()
        });
        sold.quantity += item.quantity;
    }
    let mut items: Vec<SummaryItem> = by_id.into_values().collect();
    items.sort_by(|a, b| b.quantity.cmp(&a.quantity).then_with(|| a.name.cmp(&b.name)));
    items
}

/// Returns the average, rounded; `None` without values.
fn average(values: impl Iterator<Item = i64>) -> Option<u32> {
    let (sum, count) = values.fold((0, 0), |(sum, count), value| (sum + value.max(0), count + 1));
    let average = (sum + count / 2).checked_div(count)?;
    u32::try_from(average).ok()
}

fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_second(1_795_176_000 + minute * 60).unwrap()
    }

    /// Placed at minute 0 and promised for minute 10.
    fn order(status: Status, made_minute: Option<i64>, items: &[(&str, u32)]) -> SummaryOrder {
        let items = items.iter().map(|&(name, quantity)| SummaryItem {
            item_id: name.to_owned(),
            name: name.to_owned(),
            quantity,
        });
        SummaryOrder {
            status,
            is_scheduled: false,
            placed_at: Some(at(0)),
            first_ready_at: at(10),
            made_at: made_minute.map(at),
            items: items.collect(),
            rating: None,
        }
    }

    #[test]
    fn made_orders_count_for_promises_wait_and_items() {
        let orders = [
            order(Status::Completed, Some(10), &[("Latte", 2), ("Muffin", 1)]),
            order(Status::Ready, Some(11), &[("Latte", 1)]),
            order(Status::Preparing, None, &[("Latte", 5)]),
            order(Status::Rejected, None, &[("Latte", 5)]),
        ];
        let summary = StoreSummary::of(None, &orders);
        assert_eq!(
            (summary.made, summary.kept, summary.kept_percent()),
            (2, 1, Some(50))
        );
        assert_eq!(summary.average_wait_seconds, Some(630));
        assert_eq!((summary.waiting, summary.rejected, summary.items_sold), (1, 1, 4));
        let items: Vec<_> = summary
            .items
            .iter()
            .map(|item| (&*item.name, item.quantity))
            .collect();
        assert_eq!(items, [("Latte", 3), ("Muffin", 1)]);
    }

    #[test]
    fn a_scheduled_order_has_no_wait() {
        let scheduled = SummaryOrder {
            is_scheduled: true,
            ..order(Status::Completed, Some(8), &[])
        };
        let summary = StoreSummary::of(None, &[scheduled]);
        assert_eq!((summary.made, summary.average_wait_seconds), (1, None));
    }

    #[test]
    fn a_day_without_orders_has_no_rates() {
        let summary = StoreSummary::of(None, &[order(Status::Placed, None, &[])]);
        assert_eq!(
            (summary.kept_percent(), summary.average_wait_seconds),
            (None, None)
        );
        assert_eq!(summary.average_rating_tenths, None);
    }

    #[test]
    fn ratings_are_averaged_to_tenths() {
        let rated = |stars| SummaryOrder {
            rating: Some(stars),
            ..order(Status::Completed, Some(5), &[])
        };
        let summary = StoreSummary::of(None, &[rated(5), rated(5), rated(4)]);
        assert_eq!((summary.ratings, summary.average_rating_tenths), (3, Some(47)));
    }
}
