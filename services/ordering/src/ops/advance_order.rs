//! Advances an order from placed to completed.

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

/// A step on the way from placed to completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advance {
    /// The store has to start a scheduled order, so it enters the store's queue.
    Promote,
    /// The store accepts the order, and the money is captured.
    Accept,
    Start,
    MarkReady,
    Complete,
    /// The store did not mark the order as picked up in time.
    CompleteUncollected,
    /// The store did not mark the order as ready, long after its promised time.
    CompleteUnmarked,
}

impl Advance {
    /// Returns the step and the actor that may take it.
    const fn step(self) -> (Step, Actor) {
        match self {
            Self::Promote => (Step::Promote, Actor::System),
            Self::Accept => (Step::Accept, Actor::Store),
            Self::Start => (Step::Start, Actor::Store),
            Self::MarkReady => (Step::MarkReady, Actor::Store),
            Self::Complete => (Step::Complete, Actor::Store),
            Self::CompleteUncollected => (Step::Complete, Actor::System),
            Self::CompleteUnmarked => (Step::CompleteUnmarked, Actor::System),
        }
    }
}

/// Advances an order. If it already took the step, returns it unchanged. `None` as the caller means the system.
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
