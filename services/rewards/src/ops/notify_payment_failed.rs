use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;

use super::add_inbox_message::add_inbox_message;
use crate::domain::{inbox::NewMessage, notification::Notification, order::UnpaidOrder};

/// Notifies the consumer, once, that an order that was made is not paid.
pub(crate) async fn notify_payment_failed(
    conn: &mut PgConnection,
    order: UnpaidOrder,
    now: Timestamp,
) -> Result<(), InternalError> {
    let message = NewMessage {
        consumer_id: order.consumer_id,
        reference: format!("order:{}:payment_failed", order.order_id),
        notification: Notification::payment_failed(&order),
        order_id: Some(order.order_id),
        at: order.failed_at,
    };
    add_inbox_message(conn, message, now).await?;
    Ok(())
}
