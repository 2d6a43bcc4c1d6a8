use jiff::Timestamp;
use sqlx::PgConnection;
use types::OrderId;

use super::raise_target_state::raise_target_state;
use crate::db::charges;
use crate::domain::charge::TargetState;

/// Requests the capture of an order's charge, in the caller's transaction. A released charge is not captured. If there is no
/// money left to capture, publishes the event of the loss again.
pub async fn request_capture(
    conn: &mut PgConnection,
    order_id: OrderId,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    if let Some(charge) = charges::find_by_order(conn, order_id).await? {
        raise_target_state(conn, charge.id, TargetState::Captured, now).await?;
    }
    Ok(())
}
