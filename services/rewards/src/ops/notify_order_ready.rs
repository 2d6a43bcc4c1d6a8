use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::OrderId;

use super::add_inbox_message::add_inbox_message;
use crate::domain::{inbox::NewMessage, notification::Notification, order::ReadyOrder};

/// Reference of the message that the order is ready. The message about the points of the order has the same reference
/// and replaces it.
pub(super) fn ready_reference(order_id: OrderId) -> String {
    format!("order:{order_id}:ready")
}

/// Notifies the consumer once that the order can be picked up.
pub(crate) async fn notify_order_ready(
    conn: &mut PgConnection,
    order: ReadyOrder,
    now: Timestamp,
) -> Result<(), InternalError> {
    let message = NewMessage {
        consumer_id: order.consumer_id,
        reference: ready_reference(order.order_id),
        notification: Notification::order_ready(&order),
        order_id: Some(order.order_id),
        at: order.made_at,
        useful_until: None,
    };
    add_inbox_message(conn, message, now).await?;
    Ok(())
}
