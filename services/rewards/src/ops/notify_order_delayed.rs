use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;

use super::add_inbox_message::add_inbox_message;
use crate::domain::{inbox::NewMessage, notification::Notification, order::DelayedOrder};

/// Notifies the consumer of the new promised time, once for each delay.
pub(crate) async fn notify_order_delayed(
    conn: &mut PgConnection,
    order: DelayedOrder,
    now: Timestamp,
) -> Result<(), InternalError> {
    let message = NewMessage {
        consumer_id: order.consumer_id,
        reference: format!("order:{}:delayed:{}", order.order_id, order.version),
        notification: Notification::order_delayed(&order),
        order_id: Some(order.order_id),
        at: order.delayed_at,
        useful_until: Some(order.ready_at.timestamp()),
    };
    add_inbox_message(conn, message, now).await?;
    Ok(())
}
