//! Why orders end without being completed.

use std::borrow::Cow;

use super::{status::Status, tender::Tender};

/// Reason code of an order that a crash interrupted; also the reason of the error.
pub const ORDER_NOT_PLACED: &str = "ORDER_NOT_PLACED";

/// Why an order ended without being completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndReason {
    /// A resource was unavailable, the payment was declined, or the authentication failed or expired. Contains the
    /// reason of the error.
    PlacementFailed(Cow<'static, str>),
    /// Recovery closed the order after its saga was interrupted.
    PlacementInterrupted,
    CancelledByConsumer,
    NotAcceptedInTime,
    /// The bank released the hold before the money was captured.
    PaymentHoldExpired,
    /// The bank returned a debit.
    PaymentReturned,
    RejectedByStore,
}

impl EndReason {
    /// The reason code of the order, which clients of the API read.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::PlacementFailed(reason) => reason,
            Self::PlacementInterrupted => ORDER_NOT_PLACED,
            Self::CancelledByConsumer => "CONSUMER_CANCELLED",
            Self::NotAcceptedInTime => "NOT_ACCEPTED",
            Self::PaymentHoldExpired => "PAYMENT_HOLD_EXPIRED",
            Self::PaymentReturned => "PAYMENT_RETURNED",
            Self::RejectedByStore => "STORE_REJECTED",
        }
    }

    /// Returns whether money was taken for an order that ends in this status: the store had accepted it, so that the capture
    /// was requested, or a bank debit was started. The other reasons end an order before the capture, or because the bank
    /// did not pay.
    #[must_use]
    pub const fn is_charged(&self, status: Status, tender: Tender) -> bool {
        match self {
            Self::CancelledByConsumer | Self::RejectedByStore => {
                matches!(status, Status::Accepted | Status::Preparing) || matches!(tender, Tender::Bank)
            }
            Self::PlacementFailed(_)
            | Self::PlacementInterrupted
            | Self::NotAcceptedInTime
            | Self::PaymentHoldExpired
            | Self::PaymentReturned => false,
        }
    }
}

/// The end of an order that was not completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderEnd {
    pub reason: EndReason,
    pub is_charged: bool,
    /// A sentence for the consumer.
    pub message: Cow<'static, str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejected_orders_are_charged_after_acceptance_or_by_bank_debit() {
        for (status, tender, expected) in [
            (Status::Scheduled, Tender::Card, false),
            (Status::Placed, Tender::Card, false),
            (Status::Placed, Tender::JoePass, false),
            (Status::Placed, Tender::Bank, true),
            (Status::Accepted, Tender::Card, true),
            (Status::Preparing, Tender::JoePass, true),
        ] {
            for reason in [EndReason::RejectedByStore, EndReason::CancelledByConsumer] {
                assert_eq!(
                    reason.is_charged(status, tender),
                    expected,
                    "{reason:?} {status} {tender}"
                );
            }
        }
    }

    #[test]
    fn orders_that_the_system_ends_are_not_charged() {
        for reason in [
            EndReason::PlacementFailed("CARD_DECLINED".into()),
            EndReason::PlacementInterrupted,
            EndReason::NotAcceptedInTime,
            EndReason::PaymentHoldExpired,
            EndReason::PaymentReturned,
        ] {
            for &status in Status::ALL {
                for &tender in Tender::ALL {
                    assert!(!reason.is_charged(status, tender), "{reason:?} {status} {tender}");
                }
            }
        }
    }

    #[test]
    fn a_failed_order_keeps_the_reason_of_the_error() {
        let reason = EndReason::PlacementFailed("CARD_DECLINED".into());
        assert_eq!(reason.as_str(), "CARD_DECLINED");
    }
}
