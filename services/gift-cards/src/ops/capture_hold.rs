use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::OrderId;

use crate::db::{holds, postings::post_movement};

/// Captures the order's hold after a store accepted the order. Does nothing if the order has no hold, or has already
/// ended: the event of its end can arrive before that of its acceptance.
pub(crate) async fn capture_hold(
    conn: &mut PgConnection,
    order_id: OrderId,
    at: Timestamp,
) -> Result<(), InternalError> {
    let Some(hold) = holds::lock(conn, order_id).await? else {
        return Ok(());
    };
    let from = hold.state();
    let (hold, movement) = match hold.capture() {
        Ok(captured) => captured,
        Err(error) => {
            tracing::info!(%order_id, %error, "hold not captured");
            return Ok(());
        }
    };
    let (Some(movement), Some(held_amount)) = (movement, hold.held_amount()) else {
        return Ok(());
    };
    holds::update_state(conn, order_id, from, hold.state(), at).await?;
    post_movement(conn, order_id, held_amount, movement, at).await?;
    Ok(())
}
