//! An order that never came to be: everybody who holds something for it hears so and lets go.

use kit::{InternalError, ServiceError};

use crate::{
    Ordering,
    db::{orders::Row, steps::Change},
    domain::order::{Actor, Status, Step},
    ops::{answer::Answer, transition},
};

/// Writes the order off, with the answer that its key gives from then on. False: somebody else holds it, and nothing
/// was written.
///
/// # Errors
/// The database's; an order that was placed is a broken invariant.
pub async fn abandon(cx: &Ordering, row: &Row, refusal: &ServiceError) -> Result<bool, InternalError> {
    let now = cx.clock.now();
    let from: Status = row.status.parse().map_err(InternalError::broken)?;
    let change = Change {
        status: from.after(Step::Abandon).map_err(InternalError::broken)?,
        reason: &refusal.reason,
        message: &refusal.message,
        placed_at: None,
        accept_by: None,
    };
    let answer = Answer::Refused(refusal.clone());
    let mut conn = cx.pool.acquire().await?;
    let changed = transition::apply(&mut conn, row, &change, Actor::System, now, Some(&answer)).await?;
    if changed.is_none() {
        return Ok(false);
    }
    tracing::info!(order_id = %row.order_id(), reason = %refusal.reason, "order abandoned");
    Ok(true)
}
