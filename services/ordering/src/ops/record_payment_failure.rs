use kit::{InternalError, outbox};
use sqlx::PgConnection;

use crate::{
    Ordering, convert,
    db::orders,
    domain::{end::EndReason, order::OrderRecord},
};

/// The message on a prepared order that is unpaid.
const MESSAGE: &str = "Your payment for this order didn't go through. Please pay at the store.";

/// Records, in the caller's transaction, that a prepared order is unpaid. The order keeps its status and gets the
/// reason and a message, which the store and the consumer see. Returns false if the order was changed since it was
/// read, or already has a reason.
pub(super) async fn record_payment_failure(
    cx: &Ordering,
    conn: &mut PgConnection,
    record: &OrderRecord,
    reason: &EndReason,
) -> Result<bool, InternalError> {
    if !orders::set_payment_failure(conn, &record.order, reason.as_str(), MESSAGE).await? {
        return Ok(false);
    }
    let Some(changed) = orders::find(conn, record.order.id).await? else {
        return Ok(false);
    };
    outbox::append(
        conn,
        convert::order_payment_failed(&changed.order, cx.clock.now()),
    )
    .await?;
    Ok(true)
}
