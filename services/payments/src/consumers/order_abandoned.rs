//! The order was never placed. Releases its charge.

use jiff::Timestamp;
use kit::messaging::consumer::ConsumeError;
use sqlx::PgConnection;
use types::OrderId;

use crate::domain::charge::Wanted;
use crate::ops::want::want;

pub(super) async fn handle(
    order_id: OrderId,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    want(tx, order_id, Wanted::Release, now).await?;
    Ok(())
}
