use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::ConsumerId;

use super::{
    add_inbox_message::{add_inbox_message, add_or_replace_inbox_message},
    close_claim::release_claim,
};
use crate::{
    db::{order_points, promos},
    domain::{
        failed_payment::returned_reference,
        inbox::NewMessage,
        notification::Notification,
        order::{EndReason, EndedOrder},
    },
};

/// Releases the claim of a canceled or rejected order. Notifies the consumer once, unless the consumer canceled the
/// order.
pub(crate) async fn end_order(
    conn: &mut PgConnection,
    order: EndedOrder,
    now: Timestamp,
) -> Result<(), InternalError> {
    let code = match release_claim(conn, order.order_id, now).await? {
        Some(code) if is_available(conn, &code, order.consumer_id, now).await? => Some(code),
        _ => None,
    };
    let Some(notification) = Notification::order_ended(&order, code.as_deref()) else {
        return Ok(());
    };
    let is_payment_returned = order.reason == EndReason::PaymentReturned;
    let reference = if is_payment_returned {
        returned_reference(order.order_id)
    } else {
        format!("order:{}:{}", order.order_id, order.status.as_str())
    };
    let message = NewMessage {
        consumer_id: order.consumer_id,
        reference,
        notification,
        order_id: Some(order.order_id),
        at: order.ended_at,
        useful_until: order.ready_at,
    };
    if is_payment_returned {
        add_or_replace_inbox_message(conn, message, now).await?;
    } else {
        add_inbox_message(conn, message, now).await?;
    }
    Ok(())
}

/// Returns whether the consumer can use a released code again.
async fn is_available(
    conn: &mut PgConnection,
    code: &str,
    consumer: ConsumerId,
    now: Timestamp,
) -> sqlx::Result<bool> {
    let Some(promo) = promos::find(conn, code).await? else {
        return Ok(false);
    };
    let is_first_order_made = promo.is_first_app_order && order_points::has_app_order(conn, consumer).await?;
    Ok(promo.is_available(now) && !is_first_order_made)
}
