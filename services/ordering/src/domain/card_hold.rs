//! How long the card of an order surely holds its amount.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use super::{order::Order, status::Status, tender::Tender};

/// How long a card surely holds an amount until it is captured. Card networks release it after seven days; the last day is left for
/// the store to accept the order.
const CARD_HOLD: SignedDuration = SignedDuration::from_hours(6 * 24);

/// The card of an order may no longer hold its amount at a pickup time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the payment is held until {until}")]
pub struct PickupTooLate {
    pub until: Timestamp,
    /// IANA name of the store's time zone.
    pub time_zone: String,
}

impl PickupTooLate {
    /// Returns the latest pickup time in the store's time zone: "9:00 AM on Friday, November 20".
    #[must_use]
    pub fn latest(&self) -> String {
        let zone = TimeZone::get(&self.time_zone).unwrap_or(TimeZone::UTC);
        self.until
            .to_zoned(zone)
            .strftime("%-I:%M %p on %A, %B %-d")
            .to_string()
    }
}

/// Checks a new pickup time. Orders whose money was taken, and those that stored value or a bank debit pays, have no limit.
///
/// # Errors
/// [`PickupTooLate`] if the card may no longer hold the amount at that time.
pub fn check_hold(order: &Order, ready_at: Timestamp) -> Result<(), PickupTooLate> {
    let is_held = matches!(order.status, Status::Scheduled | Status::Placed)
        && order.may_have_charge()
        && order.tender != Tender::Bank;
    let until = order.created_at + CARD_HOLD;
    if is_held && ready_at > until {
        Err(PickupTooLate {
            until,
            time_zone: order.time_zone.clone(),
        })
    } else {
        Ok(())
    }
}
