//! What an order wants of its charge.

use jiff::Timestamp;
use sqlx::PgConnection;
use types::{ChargeId, OrderId};

use super::{observe, publish};
use crate::db::charges;
use crate::db::effects::{self, Task};
use crate::domain::charge::{Charge, State, Wanted};

/// Tells a charge what its order wants, in the caller's transaction, and plans what follows. An order without a charge
/// has nothing to take; to release it plants a tombstone, so that a charge that comes late is refused. Where there is no
/// money any more that could be taken, others are told so once more.
///
/// # Errors
/// The database's.
pub async fn want(
    conn: &mut PgConnection,
    order: OrderId,
    wanted: Wanted,
    now: Timestamp,
) -> Result<Option<Charge>, kit::InternalError> {
    if wanted == Wanted::Release {
        charges::insert(conn, &tombstone(order, now), now).await?;
    }
    let Some(found) = charges::of_order(conn, order).await? else {
        return Ok(None);
    };
    charges::lock(conn, found.id).await?;
    let missing = || kit::InternalError::broken(format!("{} is not there", found.id));
    let mut charge = charges::find(conn, found.id).await?.ok_or_else(missing)?;
    if charge.want(wanted) {
        tracing::info!(charge_id = %charge.id, order_id = %order, wanted = wanted.as_str(), "order wants its charge");
        observe::save(conn, &mut charge, now).await?;
        if let Some(fact) = charge.gone_before_capture() {
            tracing::warn!(charge_id = %charge.id, order_id = %order, state = charge.state.as_str(), "order was accepted whose money is gone");
            publish::charge(conn, &charge, fact, now).await?;
        }
    } else if let Some(effect) = charge.next_effect() {
        // Asked again: what was given up gets another chance.
        effects::plan(conn, Task::Charge(charge.id, effect), now).await?;
    }
    Ok(Some(charge))
}

fn tombstone(order: OrderId, now: Timestamp) -> Charge {
    Charge {
        id: ChargeId::new(now),
        order,
        terms: None,
        provider_id: None,
        state: State::Voided,
        wanted: Wanted::Release,
        version: 1,
    }
}
