//! An order was rejected by its store.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery};
use proto::ordering::v1::OrderRejected;
use sqlx::PgConnection;

pub async fn handle(event: &Delivery, tx: &mut PgConnection, now: Timestamp) -> Result<(), ConsumeError> {
    super::give_back(event.decode::<OrderRejected>()?.order, tx, now).await
}
