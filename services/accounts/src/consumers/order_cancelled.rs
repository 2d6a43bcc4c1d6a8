//! Withholds the notifications about earlier events of an order that its consumer canceled: nothing notifies them of the cancellation.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::ordering::v1::OrderEvent;
use sqlx::PgConnection;

use crate::{convert::canceled_order, db::canceled_orders};

pub(super) async fn handle(
    event: OrderEvent,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    if let Some(order) = canceled_order(event, now)? {
        canceled_orders::insert(tx, &order).await?;
    }
    Ok(())
}
