use super::request_release::request_release;
use crate::Payments;
use crate::domain::charge::Charge;
use crate::domain::subject::ChargeSubject;

/// Closes a charge: the effects worker voids or refunds it, and a delayed authorization is rejected. Idempotent.
pub async fn close_charge(cx: &Payments, subject: ChargeSubject) -> Result<Charge, kit::InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let charge = request_release(&mut tx, subject, cx.clock.now()).await?;
    tx.commit().await?;
    cx.wake_effects_worker();
    Ok(charge)
}
