//! Notifies the consumer that the order can be picked up.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::ordering::v1::OrderSnapshot;
use sqlx::PgConnection;

use crate::{convert::event::ready_order, ops::notify_order_ready::notify_order_ready};

pub(super) async fn handle(
    order: OrderSnapshot,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    notify_order_ready(tx, ready_order(order, now)?, now).await?;
    Ok(())
}
