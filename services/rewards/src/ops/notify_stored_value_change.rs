use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;

use super::add_inbox_message::add_inbox_message;
use crate::domain::{inbox::NewMessage, stored_value::StoredValueChange};

/// Adds a message about a change of stored value to the consumer's inbox. Does nothing if the consumer was removed.
pub(crate) async fn notify_stored_value_change(
    conn: &mut PgConnection,
    change: StoredValueChange,
    now: Timestamp,
) -> Result<(), InternalError> {
    let message = NewMessage {
        consumer_id: change.consumer_id,
        reference: change.reference,
        order_id: change.kind.order_id(),
        notification: change.kind.notification(),
        at: change.at,
        useful_until: None,
    };
    add_inbox_message(conn, message, now).await?;
    Ok(())
}
