//! The order will not be made: abandoned, cancelled or rejected. What it holds is given back.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, require_field};
use proto::ordering::v1::OrderSnapshot;
use sqlx::PgConnection;

use super::may_hold_value;
use crate::ops;

pub(super) async fn handle(
    conn: &mut PgConnection,
    order: Option<OrderSnapshot>,
    at: Timestamp,
) -> Result<(), ConsumeError> {
    let fact = require_field(order, "order")?;
    if !may_hold_value(&fact) {
        return Ok(());
    }
    ops::close_hold::close(conn, fact.order_id.parse()?, at).await?;
    Ok(())
}
