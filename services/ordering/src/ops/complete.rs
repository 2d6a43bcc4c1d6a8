//! The store hands an order over.

use callers::Caller;
use proto::ordering::v1 as pb;
use types::OrderId;

use crate::{
    Ordering,
    domain::order::{Actor, Step},
    ops::transition::{Move, StepError, transition},
};

/// The store hands an order over. Repeating it changes nothing.
///
/// # Errors
/// [`StepError`]: not this store's order, or a state that does not allow it.
pub async fn complete(cx: &Ordering, caller: &Caller, order: OrderId) -> Result<pb::Order, StepError> {
    let own = |row: &crate::db::orders::Row| caller.store(row.store()).is_ok();
    transition(cx, order, own, Move::plain(Step::Complete, Actor::Store)).await
}
