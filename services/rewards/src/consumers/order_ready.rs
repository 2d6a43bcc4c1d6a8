//! The order can be picked up: says so.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery, require_field};
use proto::ordering::v1::OrderReady;
use sqlx::PgConnection;
use types::OrderId;

use super::happened;
use crate::{domain::Notice, ops::tell::tell};

pub(super) async fn handle(
    conn: &mut PgConnection,
    event: &Delivery,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let fact = require_field(event.decode::<OrderReady>()?.order, "order")?;
    let order: OrderId = fact.order_id.parse()?;
    let notice = Notice::order_ready(&fact.store_name, &fact.pickup_number);
    let (reference, at) = (format!("order:{order}:ready"), happened(&fact.at, now));
    tell(
        conn,
        fact.consumer_id.parse()?,
        &reference,
        &notice,
        Some(order),
        at,
        now,
    )
    .await
    .map_err(ConsumeError::from)
}
