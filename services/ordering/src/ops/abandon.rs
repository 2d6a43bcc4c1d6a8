//! An order that never came to be: everybody who holds something for it hears so and lets go.

use kit::{Fault, Refusal};

use crate::{
    Ordering,
    db::orders::{Change, Row},
    domain::order::{Actor, Status, Step},
    ops::{answer::Answer, confirm::keep_answer, transition},
};

/// Writes the order off, with the answer that its key gives from then on. False: somebody else holds it, and nothing
/// was written.
///
/// # Errors
/// The database's; an order that was placed is a broken invariant.
pub async fn abandon(cx: &Ordering, row: &Row, refusal: &Refusal) -> Result<bool, Fault> {
    let now = cx.clock.now();
    let from: Status = row.status.parse().map_err(Fault::broken)?;
    let change = Change {
        status: from.after(Step::Abandon).map_err(Fault::broken)?,
        reason: &refusal.reason,
        message: &refusal.message,
        placed_at: None,
        accept_by: None,
    };
    let mut tx = cx.pool.begin().await?;
    let changed = transition::apply(&mut tx, row, &change, Actor::System, now).await?;
    if changed.is_none() {
        return Ok(false);
    }
    keep_answer(&mut tx, row, &Answer::Refused(refusal.clone())).await?;
    tx.commit().await?;
    tracing::info!(order_id = %row.order_id(), reason = %refusal.reason, "order abandoned");
    Ok(true)
}
