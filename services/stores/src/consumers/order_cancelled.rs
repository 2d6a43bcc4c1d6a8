//! The consumer canceled the order, or no store accepted it in time. Releases its capacity.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::OrderId;

use crate::ops;

pub(super) async fn handle(
    order_id: OrderId,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    ops::release_capacity::release_capacity_in(tx, order_id, now).await?;
    Ok(())
}
