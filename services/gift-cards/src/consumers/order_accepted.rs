//! Captures the order's hold.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::OrderId;

use crate::ops::capture_hold::capture_hold;

pub(super) async fn handle(
    order_id: OrderId,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    capture_hold(tx, order_id, now).await?;
    Ok(())
}
