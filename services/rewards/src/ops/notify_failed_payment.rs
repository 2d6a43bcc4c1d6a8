use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;

use super::add_inbox_message::{add_inbox_message, add_or_replace_inbox_message, add_without_notification};
use crate::domain::{
    failed_payment::{FailedPayment, FailedPaymentKind},
    inbox::NewMessage,
};

/// Notifies the consumer of a returned payment or a debt, once. A return that cancels the order, or becomes a debt, is only
/// added to the inbox until that event. Does nothing if the consumer was removed.
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
        useful_until: None,
    };
    match payment.kind {
        FailedPaymentKind::Returned {
            order_ended: true, ..
        } => add_inbox_message(conn, message, now).await?,
        FailedPaymentKind::Returned {
            order_ended: false, ..
        } => {
            add_without_notification(conn, &message, now).await?;
        }
        FailedPaymentKind::Debt { .. } => add_or_replace_inbox_message(conn, message, now).await?,
    }
    Ok(())
}
