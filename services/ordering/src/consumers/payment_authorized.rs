use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::OrderId;

use crate::{Ordering, ops::place_order::resume::payment_authorized};

pub(super) async fn handle(
    cx: &Ordering,
    order_id: OrderId,
    tx: &mut PgConnection,
) -> Result<(), ConsumeError> {
    Ok(payment_authorized(cx, tx, order_id).await?)
}
