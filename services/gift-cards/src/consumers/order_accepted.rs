//! The store accepted the order.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery, require_field};
use proto::ordering::v1::OrderAccepted;
use sqlx::PgConnection;

use super::may_hold_value;
use crate::ops;

pub(super) async fn handle(
    conn: &mut PgConnection,
    event: &Delivery,
    at: Timestamp,
) -> Result<(), ConsumeError> {
    let fact = require_field(event.decode::<OrderAccepted>()?.order, "order")?;
    if !may_hold_value(&fact) {
        return Ok(());
    }
    ops::capture::capture(conn, fact.order_id.parse()?, at)
        .await
        .map_err(ConsumeError::from)
}
