//! Releases the order's claim and notifies the consumer, unless the consumer canceled the order.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, require_field};
use proto::ordering::v1::{OrderCancelled, OrderSnapshot};
use sqlx::PgConnection;

use crate::{convert::event::ended_order, domain::order::EndStatus, ops::end_order::end_order};

pub(super) async fn handle(
    order: OrderSnapshot,
    cancelled: OrderCancelled,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let end = require_field(cancelled.end, "end")?;
    end_order(tx, ended_order(order, end, EndStatus::Cancelled, now)?, now).await?;
    Ok(())
}
