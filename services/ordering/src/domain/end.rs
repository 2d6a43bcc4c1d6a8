//! Why orders end without being completed.

use std::borrow::Cow;

/// Reason code of an order that a crash interrupted; also the reason of the error.
pub const ORDER_NOT_PLACED: &str = "ORDER_NOT_PLACED";

/// Why an order ended without being completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndReason {
    /// A resource was unavailable, the payment was declined, or the authentication failed or expired. Contains the
    /// reason of the error.
    PlacementFailed(Cow<'static, str>),
    /// Recovery closed an order whose saga was interrupted.
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

    /// Returns whether the consumer is to be told that money comes back.
    ///
    /// The messages of the other reasons say that nothing was charged. The message of a rejection is written by the store
    /// and does not mention money, so it counts as charged, before the capture as well.
    #[must_use]
    pub const fn is_charged(&self) -> bool {
        matches!(self, Self::RejectedByStore)
    }
}

/// The end of an order that was not completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderEnd {
    pub reason: EndReason,
    /// A sentence for the consumer.
    pub message: Cow<'static, str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rejected_orders_count_as_charged() {
        let uncharged = [
            EndReason::PlacementFailed("CARD_DECLINED".into()),
            EndReason::PlacementInterrupted,
            EndReason::CancelledByConsumer,
            EndReason::NotAcceptedInTime,
            EndReason::PaymentHoldExpired,
            EndReason::PaymentReturned,
        ];
        for reason in uncharged {
            assert!(!reason.is_charged(), "{reason:?}");
        }
        assert!(EndReason::RejectedByStore.is_charged());
    }

    #[test]
    fn a_failed_order_keeps_the_reason_of_the_error() {
        let reason = EndReason::PlacementFailed("CARD_DECLINED".into());
        assert_eq!(reason.as_str(), "CARD_DECLINED");
    }
}
