//! An order that never came to be: everybody who holds something for it hears so and lets go.

use kit::{Fault, Refusal};

use crate::{
    Ordering,
    db::orders::{Change, Row},
    domain::order::{Actor, Status},
    ops::{answer::Answer, confirm::keep_answer, transition},
};

/// Writes the order off, with the answer that its key gives from then on. Nothing happens where somebody else holds it.
///
/// # Errors
/// The database's.
pub async fn abandon(cx: &Ordering, row: &Row, refusal: &Refusal) -> Result<(), Fault> {
    let now = cx.clock.now();
    let change = Change {
        status: Status::PaymentFailed,
        reason: &refusal.reason,
        message: &refusal.message,
        placed_at: None,
        accept_by: None,
    };
    let mut tx = cx.pool.begin().await?;
    if transition::apply(&mut tx, row, &change, Actor::System, now)
        .await?
        .is_some()
    {
        keep_answer(&mut tx, row, &Answer::Refused(refusal.clone())).await?;
        tx.commit().await?;
        tracing::info!(order_id = %row.order_id(), reason = %refusal.reason, "order abandoned");
    }
    Ok(())
}
