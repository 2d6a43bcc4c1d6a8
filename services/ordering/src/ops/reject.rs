//! The store turns an order down: everything is given back.

use kit::caller::Caller;
use proto::ordering::v1 as pb;
use types::OrderId;

use crate::{
    Ordering,
    db::orders::Row,
    domain::order::{Actor, Step},
    ops::transition::{Move, StepError, transition},
};

const LONGEST_REASON: usize = 200;

/// The store turns an order down, and says why in its own words. Repeating it changes nothing.
///
/// # Errors
/// [`StepError`]: not this store's order, or a state that does not allow it.
pub async fn reject(
    cx: &Ordering,
    caller: &Caller,
    order: OrderId,
    why: &str,
) -> Result<pb::Order, StepError> {
    let own = |row: &Row| caller.store(row.store()).is_ok();
    let why: String = why.trim().chars().take(LONGEST_REASON).collect();
    let message = if why.is_empty() {
        "The store could not take this order."
    } else {
        &why
    };
    let wanted = Move {
        step: Step::Reject,
        by: Actor::Store,
        reason: "STORE_REJECTED",
        message,
    };
    transition(cx, order, own, wanted).await
}
