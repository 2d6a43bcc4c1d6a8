//! The order was abandoned, cancelled or rejected: its money is let go, or given back.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, require_field};
use proto::ordering::v1::OrderSnapshot;
use sqlx::PgConnection;

use super::may_be_charged;
use crate::domain::charge::Wanted;
use crate::ops::want::want;

pub(super) async fn handle(
    conn: &mut PgConnection,
    order: Option<OrderSnapshot>,
    at: Timestamp,
) -> Result<(), ConsumeError> {
    let fact = require_field(order, "order")?;
    if may_be_charged(&fact) {
        want(conn, fact.order_id.parse()?, Wanted::Release, at).await?;
    }
    Ok(())
}
