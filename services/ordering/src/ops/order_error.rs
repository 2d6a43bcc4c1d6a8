use kit::{ErrorCode, InternalError, ServiceError};

use crate::{
    domain::status::{InvalidTransition, Status, Step},
    errors::order_unknown,
};

/// Why an operation on an order failed.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// There is no such order, or the caller has no access to it.
    #[error("order not found")]
    NotFound,
    #[error(transparent)]
    InvalidTransition(#[from] InvalidTransition),
    /// Another task works on the order, or a service is unavailable.
    #[error("the order is in use")]
    Unavailable,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(OrderError);

impl From<OrderError> for ServiceError {
    fn from(error: OrderError) -> Self {
        match error {
            OrderError::NotFound => order_unknown(),
            OrderError::Unavailable => Self::unavailable(),
            OrderError::InvalidTransition(InvalidTransition { from, step }) => {
                let message = match from {
                    Status::Cancelled => "This order was canceled.",
                    Status::Rejected => "The store couldn't take this order.",
                    Status::Completed => "This order was already picked up.",
                    Status::Ready if step == Step::Delay => "This order is ready.",
                    _ if step == Step::Reschedule => "Only scheduled orders can be moved to another time.",
                    Status::Scheduled if step == Step::Delay => "This order isn't in the queue yet.",
                    Status::Accepted | Status::Preparing | Status::Ready => {
                        "The store has already accepted this order."
                    }
                    Status::PaymentPending | Status::PaymentFailed => "This order wasn't placed.",
                    Status::Placed | Status::Scheduled => "The store hasn't accepted this order yet.",
                };
                Self::new(
                    ErrorCode::Conflict,
                    format!("ORDER_{}", from.as_str().to_uppercase()),
                    message,
                )
            }
            OrderError::Internal(error) => error.into(),
        }
    }
}
