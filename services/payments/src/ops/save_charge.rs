use jiff::Timestamp;
use sqlx::PgConnection;

use crate::db::charges;
use crate::db::effects;
use crate::domain::charge::{Charge, TargetState};
use crate::domain::effect::Effect;

/// Writes a locked charge and plans the effect that is due. Failed effects that are no longer due are done.
pub async fn save_charge(
    conn: &mut PgConnection,
    charge: &mut Charge,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    if !charges::update(conn, charge).await? {
        return Err(kit::InternalError::invariant_violated(format!(
            "charge {} changed while it was locked",
            charge.id
        )));
    }
    charge.version += 1;
    let effect_due = charge.next_effect();
    // Before a capture or release is requested, no effect can be obsolete.
    if charge.target_state != TargetState::Authorized {
        effects::finish_obsolete(conn, effect_due, charge.id.uuid(), now).await?;
    }
    if let Some(effect) = effect_due {
        effects::plan(conn, Effect::Charge(charge.id, effect)).await?;
    }
    Ok(())
}
