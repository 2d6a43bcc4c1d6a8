//! Notifies the consumer that an order that was made is not paid.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::ordering::v1::OrderSnapshot;
use sqlx::PgConnection;

use crate::{convert::event::unpaid_order, ops::notify_payment_failed::notify_payment_failed};

pub(super) async fn handle(
    order: OrderSnapshot,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    notify_payment_failed(tx, unpaid_order(order, now)?, now).await?;
    Ok(())
}
