//! Closes the order's hold: the order was never placed.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::OrderId;

use crate::ops::close_hold::close_hold_in;

pub(super) async fn handle(
    order_id: OrderId,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    close_hold_in(tx, order_id, now).await?;
    Ok(())
}
