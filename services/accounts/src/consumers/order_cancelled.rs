//! Records an order that its consumer canceled, so that notifications about its earlier events are withheld. Consumers get no
//! notification about their own cancellation.

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
