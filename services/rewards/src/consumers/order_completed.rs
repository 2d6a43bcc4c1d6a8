//! Awards points for the order.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::ordering::v1::OrderSnapshot;
use sqlx::PgConnection;

use crate::{config::Rules, convert::event::completed_order, ops::award_points::award_points};

pub(super) async fn handle(
    order: OrderSnapshot,
    tx: &mut PgConnection,
    rules: Rules,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    award_points(tx, rules, completed_order(order, now)?, now).await?;
    Ok(())
}
