use jiff::Timestamp;
use sqlx::PgConnection;
use types::ChargeId;

use super::publish;
use super::save_charge::save_charge;
use crate::db::charges;
use crate::db::effects;
use crate::domain::charge::{Charge, TargetState};
use crate::domain::effect::Effect;

/// Raises the target state of a charge in the caller's transaction and plans the effect that is due. If the charge already
/// has this or a later target, plans a failed effect again. Returns the charge, locked.
pub async fn raise_target_state(
    conn: &mut PgConnection,
    id: ChargeId,
    target_state: TargetState,
    now: Timestamp,
) -> Result<Charge, kit::InternalError> {
    let mut charge = charges::lock(conn, id)
        .await?
        .ok_or_else(|| kit::InternalError::invariant_violated(format!("charge {id} not found")))?;
    let subject = charge.subject;
    if charge.raise_target_state(target_state) {
        tracing::info!(charge_id = %id, %subject, target_state = target_state.as_str(), "charge target changed");
        save_charge(conn, &mut charge, now).await?;
        if let Some(event) = charge.lost_payment_event() {
            tracing::warn!(charge_id = %id, %subject, state = charge.state.as_str(), "accepted order has no payment");
            publish::charge_event(conn, &charge, event, now).await?;
        }
    } else if let Some(effect) = charge.next_effect() {
        effects::plan(conn, Effect::Charge(id, effect)).await?;
    }
    Ok(charge)
}
