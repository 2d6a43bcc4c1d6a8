use std::borrow::Cow;

use kit::{InternalError, outbox};
use sqlx::PgConnection;

use crate::{
    Ordering, convert,
    db::orders,
    domain::{
        end::EndReason,
        order::{Order, OrderRecord},
    },
};

/// Returns the message on a prepared order whose charge failed. Stored value that paid a part of it was captured.
fn message(order: &Order) -> Cow<'static, str> {
    if order.stored_value.is_none() {
        return "Your payment for this order didn't go through. Please pay at the store.".into();
    }
    format!(
        "Your payment of {} for this order didn't go through. Please pay it at the store. The other {} was paid.",
        order.charge_amount(),
        order.stored_value_amount()
    )
    .into()
}

/// Records, in the caller's transaction, that a prepared order is unpaid. The order keeps its status and gets the
/// reason and a message, which the store and the consumer see. Returns false if the order was changed since it was
/// read, or already has a reason.
pub(super) async fn record_payment_failure(
    cx: &Ordering,
    conn: &mut PgConnection,
    record: &OrderRecord,
    reason: &EndReason,
) -> Result<bool, InternalError> {
    let message = message(&record.order);
    if !orders::set_payment_failure(conn, &record.order, reason.as_str(), &message).await? {
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
