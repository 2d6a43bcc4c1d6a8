//! Outcomes and durations of the saga.

use std::time::Duration;

use kit::{ErrorCode, metrics::DurationHistogram};

use super::PlaceOrderError;
use crate::domain::{order::OrderDetails, status::Status};

static DURATION: DurationHistogram = DurationHistogram::new(
    "ordering.saga.duration",
    "Time to acquire the resources of an order and to place it",
);

/// Records a saga after its order was written. The result `unknown` means that recovery determines the outcome.
pub(super) fn record_saga(duration: Duration, result: &Result<OrderDetails, PlaceOrderError>) {
    let outcome = match result {
        Ok(details) if details.order.status == Status::PaymentPending => "requires_action",
        Ok(_) => "placed",
        Err(PlaceOrderError::Internal(_)) => "unknown",
        Err(PlaceOrderError::Rejected(error)) if error.code == ErrorCode::Unavailable => "unknown",
        Err(_) => "rejected",
    };
    DURATION.record(duration, &[("outcome", outcome)]);
}
