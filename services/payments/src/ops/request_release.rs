use jiff::Timestamp;
use sqlx::PgConnection;
use types::{ChargeId, OrderId};

use super::raise_target_state::raise_target_state;
use crate::db::charges;
use crate::domain::charge::{Charge, ChargeState, TargetState};

/// Requests that an order's charge is voided or refunded, in the caller's transaction. If the order has no charge, writes a
/// tombstone, which rejects a delayed authorization.
pub async fn request_release(
    conn: &mut PgConnection,
    order_id: OrderId,
    now: Timestamp,
) -> Result<Charge, kit::InternalError> {
    let tombstone = tombstone(order_id, now);
    if charges::insert(conn, &tombstone, now).await? {
        return Ok(tombstone);
    }
    let charge = charges::find_by_order(conn, order_id)
        .await?
        .ok_or_else(|| kit::InternalError::invariant_violated(format!("charge of {order_id} not found")))?;
    raise_target_state(conn, charge.id, TargetState::Released, now).await
}

fn tombstone(order_id: OrderId, now: Timestamp) -> Charge {
    Charge {
        id: ChargeId::new(now),
        order_id,
        terms: None,
        provider_id: None,
        state: ChargeState::Voided,
        target_state: TargetState::Released,
        hold_ends_at: None,
        version: 1,
    }
}
