use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::OrderId;

use crate::{
    Ordering, domain::payment_loss::PaymentLoss, ops::cancel_unpaid_order::cancel_after_payment_loss,
};

pub(super) async fn handle(
    cx: &Ordering,
    order_id: OrderId,
    tx: &mut PgConnection,
) -> Result<(), ConsumeError> {
    Ok(cancel_after_payment_loss(cx, tx, order_id, PaymentLoss::CaptureFailed).await?)
}
