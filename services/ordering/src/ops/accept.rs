//! The store takes an order on: from here on it is paid.

use callers::Caller;
use proto::ordering::v1 as pb;
use types::OrderId;

use crate::{
    Ordering,
    domain::order::{Actor, Step},
    ops::transition::{Move, StepError, transition},
};

/// The store takes an order on: from here on it is paid. Repeating it changes nothing.
///
/// # Errors
/// [`StepError`]: not this store's order, or a state that does not allow it.
pub async fn accept(cx: &Ordering, caller: &Caller, order: OrderId) -> Result<pb::Order, StepError> {
    let own = |row: &crate::db::orders::Row| caller.store(row.store()).is_ok();
    transition(cx, order, own, Move::plain(Step::Accept, Actor::Store)).await
}
