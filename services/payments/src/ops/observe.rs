//! What the provider says about a charge becomes what we know.

use jiff::Timestamp;
use sqlx::PgConnection;
use types::ChargeId;

use super::publish;
use crate::db::charges;
use crate::db::effects::{self, Task};
use crate::domain::charge::Charge;
use crate::provider::Snapshot;

/// Takes in a snapshot, in the caller's transaction, which also plans what follows from it and tells others. Old news
/// changes nothing. Answers the charge as it is then, locked.
///
/// # Errors
/// The database's; none of the charge is a fault.
pub async fn observe(
    conn: &mut PgConnection,
    id: ChargeId,
    snapshot: &Snapshot,
    now: Timestamp,
) -> Result<Charge, kit::InternalError> {
    charges::lock(conn, id).await?;
    let missing = || kit::InternalError::broken(format!("{id} is not there"));
    let mut charge = charges::find(conn, id).await?.ok_or_else(missing)?;
    if let (Some(ours), Some(theirs)) = (&charge.provider_id, &snapshot.provider_id)
        && ours != theirs
    {
        return Err(kit::InternalError::broken(format!(
            "{id} has two objects at the provider: {ours} and {theirs}"
        )));
    }
    let found = charge.provider_id.is_none() && snapshot.provider_id.is_some();
    if found {
        charge.provider_id.clone_from(&snapshot.provider_id);
    }
    let before = charge.state.as_str();
    let news = charge.observe(snapshot.state.clone());
    if found || news {
        save(conn, &mut charge, now).await?;
    }
    if news {
        tracing::info!(charge_id = %id, order_id = %charge.order, from = before, to = charge.state.as_str(), "charge moved");
        if let Some(fact) = charge.fact() {
            publish::charge(conn, &charge, fact, now).await?;
        }
    }
    Ok(charge)
}

/// Writes a charge that is locked, and plans what is due now.
///
/// # Errors
/// The database's.
pub(super) async fn save(
    conn: &mut PgConnection,
    charge: &mut Charge,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    if !charges::update(conn, charge, now).await? {
        return Err(kit::InternalError::broken(format!(
            "{} changed while it was locked",
            charge.id
        )));
    }
    charge.version += 1;
    if let Some(effect) = charge.next_effect() {
        effects::plan(conn, Task::Charge(charge.id, effect), now).await?;
    }
    Ok(())
}
