use types::Money;

use super::{status::Status, tender::Tender};

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
