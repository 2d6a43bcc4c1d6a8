//! The order was picked up. Its payment is owed, also if `OrderReady` arrives later.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::OrderId;

use crate::Payments;
use crate::domain::subject::ChargeSubject;
use crate::ops::fulfill_charge::fulfill_charge;

pub(super) async fn handle(
    cx: &Payments,
    order_id: OrderId,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    Ok(fulfill_charge(cx, tx, ChargeSubject::Order(order_id), now).await?)
}
