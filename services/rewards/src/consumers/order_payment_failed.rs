//! Revokes the points of a prepared order that is unpaid, and notifies the consumer.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::ordering::v1::OrderSnapshot;
use sqlx::PgConnection;

use crate::{
    config::Rules, convert::event::unpaid_order, ops::record_payment_failure::record_payment_failure,
};

pub(super) async fn handle(
    order: OrderSnapshot,
    tx: &mut PgConnection,
    rules: Rules,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    record_payment_failure(tx, rules, unpaid_order(order, now)?, now).await?;
    Ok(())
}
