use jiff::Timestamp;
use sqlx::PgConnection;

use crate::db::charges;
use crate::db::effects::{self, Effect};
use crate::domain::charge::Charge;

/// Writes a locked charge and plans the effect that is due.
pub async fn save_charge(
    conn: &mut PgConnection,
    charge: &mut Charge,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    if !charges::update(conn, charge, now).await? {
        return Err(kit::InternalError::invariant_violated(format!(
            "charge {} changed while it was locked",
            charge.id
        )));
    }
    charge.version += 1;
    if let Some(effect) = charge.next_effect() {
        effects::plan(conn, Effect::Charge(charge.id, effect), now).await?;
    }
    Ok(())
}
