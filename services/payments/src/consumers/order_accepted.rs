//! The store accepted the order. Captures its charge, unless it was released before.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::OrderId;

use crate::domain::subject::ChargeSubject;
use crate::ops::request_capture::request_capture;

pub(super) async fn handle(
    order_id: OrderId,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    request_capture(tx, ChargeSubject::Order(order_id), now).await?;
    Ok(())
}
