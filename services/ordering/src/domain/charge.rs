use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use types::Money;

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

/// The state of an order's charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Charge {
    /// The provider has not reported an outcome yet.
    Pending,
    /// Waits for the consumer to authenticate with the provider.
    RequiresAction {
        client_secret: String,
    },
    Authorized,
    /// A bank debit was started.
    Processing,
    Succeeded,
    Declined {
        reason: String,
        message: String,
    },
    /// Voided, or closed by a tombstone before it was created.
    Closed,
    Returned,
    Disputed,
    Refunded,
}

/// Returns whether an order with this status was charged. Cards and stored value are captured when a store accepts; a
/// bank debit is started when the order is placed. For an order that ended without being completed, the result is
/// stored when it ends ([`OrderEnd`](super::end::OrderEnd)).
#[must_use]
pub const fn is_charged_in(status: Status, tender: Tender, total: Money) -> bool {
    if total.minor_units() == 0 {
        return false;
    }
    match status {
        Status::Scheduled | Status::Placed => matches!(tender, Tender::Bank),
        Status::Accepted | Status::Preparing | Status::Ready | Status::Completed => true,
        Status::PaymentPending | Status::Cancelled | Status::Rejected | Status::PaymentFailed => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bank_debits_are_charged_from_placement_and_other_tenders_from_acceptance() {
        for (status, tender, expected) in [
            (Status::PaymentPending, Tender::Bank, false),
            (Status::Scheduled, Tender::Card, false),
            (Status::Scheduled, Tender::Bank, true),
            (Status::Placed, Tender::Card, false),
            (Status::Placed, Tender::JoePass, false),
            (Status::Placed, Tender::Bank, true),
            (Status::Accepted, Tender::Card, true),
            (Status::Preparing, Tender::JoePass, true),
            (Status::Completed, Tender::Card, true),
        ] {
            let is_charged = is_charged_in(status, tender, Money::usd(516));
            assert_eq!(is_charged, expected, "{status} {tender}");
            assert!(!is_charged_in(status, tender, Money::ZERO), "{status} {tender}");
        }
    }
}
