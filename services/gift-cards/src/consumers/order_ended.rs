//! The order will not be made: abandoned, cancelled or rejected. What it holds is given back.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, said};
use proto::ordering::v1::OrderFact;
use sqlx::PgConnection;

use super::may_hold_value;
use crate::ops;

pub(super) async fn handle(
    conn: &mut PgConnection,
    order: Option<OrderFact>,
    at: Timestamp,
) -> Result<(), ConsumeError> {
    let fact = said(order, "order")?;
    if !may_hold_value(&fact) {
        return Ok(());
    }
    ops::close_hold::close(conn, fact.order_id.parse()?, at).await?;
    Ok(())
}
