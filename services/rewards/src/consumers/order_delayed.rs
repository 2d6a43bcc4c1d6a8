//! Notifies the consumer of the new promised time.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::ordering::v1::{OrderDelayed, OrderSnapshot};
use sqlx::PgConnection;

use crate::{convert::event::delayed_order, ops::notify_order_delayed::notify_order_delayed};

pub(super) async fn handle(
    order: OrderSnapshot,
    delayed: OrderDelayed,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    notify_order_delayed(tx, delayed_order(order, delayed, now)?, now).await?;
    Ok(())
}
