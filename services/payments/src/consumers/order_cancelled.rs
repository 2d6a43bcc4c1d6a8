//! The consumer or the system canceled the order. Releases its charge.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::OrderId;

use crate::domain::subject::ChargeSubject;
use crate::ops::request_release::request_release;

pub(super) async fn handle(
    order_id: OrderId,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    request_release(tx, ChargeSubject::Order(order_id), now).await?;
    Ok(())
}
