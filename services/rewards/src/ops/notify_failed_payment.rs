use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;

use super::add_inbox_message::add_inbox_message;
use crate::domain::{failed_payment::FailedPayment, inbox::NewMessage};

/// Adds a message about a returned payment or a debt to the consumer's inbox, once. Does nothing if the consumer was removed.
pub(crate) async fn notify_failed_payment(
    conn: &mut PgConnection,
    payment: FailedPayment,
    now: Timestamp,
) -> Result<(), InternalError> {
    let message = NewMessage {
        consumer_id: payment.consumer_id,
        order_id: payment.order_id(),
        notification: payment.notification(),
        reference: payment.reference,
        at: payment.at,
    };
    add_inbox_message(conn, message, now).await?;
    Ok(())
}
