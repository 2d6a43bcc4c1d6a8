use kit::{ErrorCode, InternalError, ServiceError};

use crate::{
    domain::{end::ORDER_NOT_PLACED, tender::Tender},
    ops::price_order::PriceOrderError,
};

/// The reason for which an order was not placed.
#[derive(Debug, thiserror::Error)]
pub enum PlaceOrderError {
    /// The cart cannot be priced.
    #[error(transparent)]
    Price(#[from] PriceOrderError),
    /// A rule was violated or a resource is unavailable: an item is sold out, the price or the promised time changed, the
    /// payment was declined, …
    #[error(transparent)]
    Rejected(#[from] ServiceError),
    /// The outcome is unknown. Recovery closes the order; a call with the same key returns its response.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(PlaceOrderError);

impl From<PlaceOrderError> for ServiceError {
    fn from(error: PlaceOrderError) -> Self {
        match error {
            PlaceOrderError::Price(error) => error.into(),
            PlaceOrderError::Rejected(error) => error,
            PlaceOrderError::Internal(error) => error.into(),
        }
    }
}

impl PlaceOrderError {
    pub(super) fn rejected(code: ErrorCode, reason: &'static str, message: &'static str) -> Self {
        Self::Rejected(ServiceError::new(code, reason, message))
    }

    pub(super) fn key_reused() -> Self {
        Self::rejected(
            ErrorCode::Conflict,
            "IDEMPOTENCY_KEY_REUSED",
            "You already sent a different order a moment ago. Check your orders, then try again.",
        )
    }

    pub(super) fn payment_method_unknown(field: &'static str) -> Self {
        let error = ServiceError::new(
            ErrorCode::RuleViolation,
            "PAYMENT_METHOD_UNKNOWN",
            "We couldn't find that payment method.",
        );
        Self::Rejected(error.with_field(field))
    }

    /// The session was checked before the consumer was removed.
    pub(super) fn consumer_removed() -> Self {
        Self::rejected(ErrorCode::Unauthenticated, "UNAUTHENTICATED", "Please sign in.")
    }
}

/// Returns a conflict, because the client has to create a new key: with 503, it would retry with the used key. See
/// `docs/decisions/0003-closed-orders-return-409.md`. A bank debit that has started cannot be canceled: it is refunded when it settles.
pub(in crate::ops) fn not_placed(tender: Tender) -> ServiceError {
    let message = match tender {
        Tender::Bank => {
            "We couldn't place your order. If your bank account was debited, we'll refund it; please try again."
        }
        Tender::Card | Tender::JoePass | Tender::ApplePay | Tender::GooglePay => {
            "We couldn't place your order. You weren't charged; please try again."
        }
    };
    ServiceError::new(ErrorCode::Conflict, ORDER_NOT_PLACED, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bank_debit_may_have_started_before_an_order_was_not_placed() {
        assert!(not_placed(Tender::Card).message.contains("You weren't charged"));
        let message = not_placed(Tender::Bank).message;
        assert!(message.contains("we'll refund it") && !message.contains("weren't charged"));
    }
}
