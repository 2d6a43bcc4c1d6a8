//! SQL. Functions take the caller's connection or transaction.

pub mod capacity;
pub(crate) mod companies;
pub(crate) mod credentials;
pub(crate) mod favorites;
pub(crate) mod hours;
pub(crate) mod item_sales;
pub mod map;
pub(crate) mod menu;
pub(crate) mod menu_write;
pub mod nearest;
pub(crate) mod pauses;
pub(crate) mod promises;
pub(crate) mod ratings;
pub(crate) mod schedule_versions;
pub(crate) mod search;
pub(crate) mod shifts;
pub(crate) mod sold_out;
pub(crate) mod special_days;
pub(crate) mod staff;
pub(crate) mod staff_devices;
pub(crate) mod store_write;
pub mod stores;
pub(crate) mod usual_items;
pub mod webhook_deliveries;
pub(crate) mod webhook_subscriptions;

use jiff::civil::Date;

/// Parses a day that a query converts to text, because arrays of dates cannot be decoded.
fn parse_day(text: &str) -> Result<Date, jiff::Error> {
    text.parse()
}
