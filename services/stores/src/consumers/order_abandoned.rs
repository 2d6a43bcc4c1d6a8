//! An order never came to be: it was not paid for, or recovery closed it.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery};
use proto::ordering::v1::OrderAbandoned;
use sqlx::PgConnection;

pub async fn handle(event: &Delivery, tx: &mut PgConnection, now: Timestamp) -> Result<(), ConsumeError> {
    super::give_back(event.decode::<OrderAbandoned>()?.order, tx, now).await
}
