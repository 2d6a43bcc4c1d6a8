use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::OrderId;

use crate::{
    Ordering,
    ops::cancel_unpaid_order::{PaymentLoss, payment_lost},
};

pub(super) async fn handle(
    cx: &Ordering,
    order_id: OrderId,
    tx: &mut PgConnection,
) -> Result<(), ConsumeError> {
    Ok(payment_lost(cx, tx, order_id, PaymentLoss::CaptureFailed).await?)
}
