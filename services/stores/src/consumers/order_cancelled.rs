//! An order was cancelled by the consumer, or because no store took it in time.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery};
use proto::ordering::v1::OrderCancelled;
use sqlx::PgConnection;

pub async fn handle(event: &Delivery, tx: &mut PgConnection, now: Timestamp) -> Result<(), ConsumeError> {
    super::give_back(event.decode::<OrderCancelled>()?.order, tx, now).await
}
