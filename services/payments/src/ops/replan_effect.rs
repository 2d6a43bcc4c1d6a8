use jiff::Timestamp;
use sqlx::PgConnection;
use types::ChargeId;

use super::save_charge::save_charge;
use crate::Payments;
use crate::db::charges;
use crate::db::effects::{self, plan_missing};
use crate::domain::charge::{Charge, ChargeEffect, TargetState};
use crate::domain::effect::Effect;

/// Plans the effect that is due to reach the target state of a charge, if it is not planned: its row is missing or done, or
/// it failed without a code. Releases the charge if the effect is a capture that can never succeed. Other effects that can never
/// succeed are planned again only by the command line.
pub async fn replan_effect(cx: &Payments, id: ChargeId) -> Result<(), kit::InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let Some(mut charge) = charges::lock(&mut tx, id).await? else {
        return Ok(());
    };
    let Some(charge_effect) = charge.next_effect() else {
        return Ok(());
    };
    let effect = Effect::Charge(id, charge_effect);
    let is_planned = plan_missing(&mut tx, effect).await?;
    if is_planned {
        tracing::warn!(%effect, subject = %charge.subject, "planned a missing effect");
    }
    let is_released = !is_planned
        && charge_effect == ChargeEffect::Capture
        && release_failed_capture(&mut tx, &mut charge, cx.clock.now()).await?;
    if is_planned || is_released {
        tx.commit().await?;
        cx.wake_effects_worker();
    }
    Ok(())
}

/// Releases a charge whose capture failed for good in a previous version, which published `CaptureFailed` and kept the hold. Returns whether the charge was released.
async fn release_failed_capture(
    conn: &mut PgConnection,
    charge: &mut Charge,
    now: Timestamp,
) -> Result<bool, kit::InternalError> {
    let capture = Effect::Charge(charge.id, ChargeEffect::Capture);
    if !effects::has_failed(conn, capture).await? {
        return Ok(false);
    }
    tracing::warn!(charge_id = %charge.id, subject = %charge.subject, "charge with a failed capture released");
    charge.raise_target_state(TargetState::Released);
    save_charge(conn, charge, now).await?;
    Ok(true)
}
