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
            OrderError::InvalidTransition(InvalidTransition { from, step }) => Self::new(
                ErrorCode::Conflict,
                format!("ORDER_{}", from.as_str().to_uppercase()),
                describe(from, step),
            ),
            OrderError::Internal(error) => error.into(),
        }
    }
}

/// Returns why an order in this status cannot take the step, for the consumer or for the staff of the store.
const fn describe(from: Status, step: Step) -> &'static str {
    match (from, step) {
        (Status::Cancelled, _) => "This order was canceled.",
        (Status::Rejected, _) => "The store couldn't take this order.",
        (Status::Completed, _) => "This order was already picked up.",
        (Status::PaymentPending | Status::PaymentFailed, _) => "This order wasn't placed.",
        (_, Step::Reschedule) => "Only scheduled orders can be moved to another time.",
        (Status::Scheduled, Step::Accept | Step::Start | Step::MarkReady | Step::Complete | Step::Delay) => {
            "This order is scheduled for later. It isn't in the queue yet."
        }
        (Status::Placed, Step::Start | Step::MarkReady | Step::Complete) => "Accept this order first.",
        (Status::Accepted | Status::Preparing, Step::Complete) => "This order isn't ready yet.",
        (Status::Ready, Step::Start | Step::Delay | Step::Reject) => "This order is ready.",
        (Status::Accepted | Status::Preparing | Status::Ready, _) => {
            "The store has already accepted this order."
        }
        (Status::Placed | Status::Scheduled, _) => "The store hasn't accepted this order yet.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn staff_read_why_an_order_cannot_take_a_step() {
        for (from, step, expected) in [
            (Status::Ready, Step::Reject, "This order is ready."),
            (
                Status::Scheduled,
                Step::Accept,
                "This order is scheduled for later. It isn't in the queue yet.",
            ),
            (
                Status::Scheduled,
                Step::Delay,
                "This order is scheduled for later. It isn't in the queue yet.",
            ),
            (Status::Placed, Step::Start, "Accept this order first."),
            (
                Status::Placed,
                Step::Reschedule,
                "Only scheduled orders can be moved to another time.",
            ),
            (Status::Accepted, Step::Complete, "This order isn't ready yet."),
            (Status::Ready, Step::Delay, "This order is ready."),
        ] {
            let error = ServiceError::from(OrderError::from(InvalidTransition { from, step }));
            assert_eq!(error.message, expected, "{from} {step:?}");
        }
    }

    #[test]
    fn consumers_read_whether_the_store_has_accepted() {
        for (from, step, expected) in [
            (
                Status::Scheduled,
                Step::Arrive,
                "The store hasn't accepted this order yet.",
            ),
            (
                Status::Placed,
                Step::Rate,
                "The store hasn't accepted this order yet.",
            ),
            (
                Status::Accepted,
                Step::Cancel,
                "The store has already accepted this order.",
            ),
        ] {
            let error = ServiceError::from(OrderError::from(InvalidTransition { from, step }));
            assert_eq!(error.message, expected, "{from} {step:?}");
        }
    }
}
