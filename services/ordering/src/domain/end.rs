//! Reasons for which orders end without being completed.

use std::borrow::Cow;

/// Reason code of an order that a crash interrupted, and of the error for its key.
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
    /// The held amount can no longer be captured.
    PaymentCaptureFailed,
    RejectedByStore,
}

impl EndReason {
    /// Returns the order's reason code, which is part of the API.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::PlacementFailed(reason) => reason,
            Self::PlacementInterrupted => ORDER_NOT_PLACED,
            Self::CancelledByConsumer => "CONSUMER_CANCELLED",
            Self::NotAcceptedInTime => "NOT_ACCEPTED",
            Self::PaymentHoldExpired => "PAYMENT_HOLD_EXPIRED",
            Self::PaymentReturned => "PAYMENT_RETURNED",
            Self::PaymentCaptureFailed => "PAYMENT_CAPTURE_FAILED",
            Self::RejectedByStore => "STORE_REJECTED",
        }
    }

    /// Returns whether an order that ends for this reason is refunded. False if it was not charged, if the saga failed
    /// (which closes all resources), and if the bank did not pay.
    #[must_use]
    pub const fn is_charged(&self, was_charged: bool) -> bool {
        match self {
            Self::CancelledByConsumer | Self::NotAcceptedInTime | Self::RejectedByStore => was_charged,
            Self::PlacementFailed(_)
            | Self::PlacementInterrupted
            | Self::PaymentHoldExpired
            | Self::PaymentReturned
            | Self::PaymentCaptureFailed => false,
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

/// The message about the end of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndMessage {
    Text(Cow<'static, str>),
    /// A sentence about the refund is appended.
    BeforeRefund(&'static str),
}

impl OrderEnd {
    /// `was_charged`: whether the order was charged before it ended.
    #[must_use]
    pub fn new(was_charged: bool, reason: EndReason, message: EndMessage) -> Self {
        let is_charged = reason.is_charged(was_charged);
        let message = match (message, is_charged) {
            (EndMessage::Text(message), _) => message,
            (EndMessage::BeforeRefund(message), true) => {
                format!("{message} We're refunding your payment.").into()
            }
            (EndMessage::BeforeRefund(message), false) => format!("{message} You weren't charged.").into(),
        };
        Self {
            reason,
            is_charged,
            message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_order_keeps_the_reason_of_the_error() {
        let reason = EndReason::PlacementFailed("CARD_DECLINED".into());
        assert_eq!(reason.as_str(), "CARD_DECLINED");
    }
}
