//! Advances an order in its normal course, from placed to completed.

use callers::Caller;
use types::OrderId;

use super::{
    order_error::OrderError,
    transition::{StepRequest, transition},
};
use crate::{
    Ordering,
    domain::{
        order::{Order, OrderDetails},
        status::{Actor, Step},
    },
};

/// A step of the normal course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advance {
    /// The make time of a scheduled order has come: it enters the store's queue.
    Promote,
    /// The store will make the order: the money is captured.
    Accept,
    Start,
    MarkReady,
    Complete,
    /// Nobody marked the order as picked up in time.
    CompleteUncollected,
}

impl Advance {
    /// The step and who may take it.
    const fn step(self) -> (Step, Actor) {
        match self {
            Self::Promote => (Step::Promote, Actor::System),
            Self::Accept => (Step::Accept, Actor::Store),
            Self::Start => (Step::Start, Actor::Store),
            Self::MarkReady => (Step::MarkReady, Actor::Store),
            Self::Complete => (Step::Complete, Actor::Store),
            Self::CompleteUncollected => (Step::Complete, Actor::System),
        }
    }
}

/// Advances an order. If it already took the step, returns it unchanged. Without a caller, the system acts.
///
/// # Errors
/// [`OrderError::NotFound`] if the caller has no access to the order,
/// [`OrderError::InvalidTransition`] if its status does not allow the step.
pub async fn advance_order(
    cx: &Ordering,
    caller: Option<&Caller>,
    order_id: OrderId,
    advance: Advance,
) -> Result<OrderDetails, OrderError> {
    let (step, actor) = advance.step();
    let is_allowed = |order: &Order| match actor {
        Actor::Store => caller.is_some_and(|caller| caller.store(order.store_id).is_ok()),
        Actor::System => caller.is_none(),
        Actor::Consumer => false,
    };
    let request = StepRequest {
        step,
        actor,
        end: None,
    };
    transition(cx, order_id, is_allowed, request).await
}
