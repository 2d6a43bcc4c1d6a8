use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::OrderId;

use crate::db::{hold_step, holds};

/// Captures the order's hold after a store accepted the order. Does nothing if the order has no hold, or has already
/// ended: the event of its end can arrive before that of its acceptance.
pub(crate) async fn capture_hold(
    conn: &mut PgConnection,
    order_id: OrderId,
    at: Timestamp,
) -> Result<(), InternalError> {
    if hold_step::capture(conn, order_id, at).await? {
        return Ok(());
    }
    let Some(hold) = holds::lock(conn, order_id).await? else {
        return Ok(());
    };
    match hold.capture() {
        // It was captured before.
        Ok((_, None)) => Ok(()),
        Ok((_, Some(_))) => Err(InternalError::invariant_violated(format!(
            "hold of {order_id} was written after the order was accepted"
        ))),
        Err(error) => {
            tracing::info!(%order_id, %error, "hold not captured");
            Ok(())
        }
    }
}
