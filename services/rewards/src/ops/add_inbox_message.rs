use jiff::Timestamp;
use kit::outbox;
use sqlx::PgConnection;

use super::compose_message::compose_message;
use crate::{
    convert,
    db::{consumers, messages},
    domain::inbox::NewMessage,
};

/// Adds a message to a consumer's inbox and publishes `InboxMessageAdded`, and `NotificationRequested` if the message is
/// also sent by push, SMS or email. Does nothing if the consumer has a message with this reference, or was removed.
pub(crate) async fn add_inbox_message(
    conn: &mut PgConnection,
    message: NewMessage,
    now: Timestamp,
) -> sqlx::Result<()> {
    let consumer_id = message.consumer_id;
    if consumers::ensure_active(conn, consumer_id).await?.is_none() {
        return Ok(());
    }
    let text = compose_message(conn, &message.notification.text).await?;
    let Some(message_id) = messages::insert(conn, &message, &text).await? else {
        return Ok(());
    };
    let unseen = messages::count(conn, consumer_id).await?.unseen;
    let entry = convert::event::inbox_message_added(consumer_id, message_id, unseen, now);
    outbox::append(conn, entry).await?;
    if message.notification.is_sent_out() && message.is_recent(now) {
        outbox::append(
            conn,
            convert::event::notification_requested(&message, text, message_id, now),
        )
        .await?;
    }
    Ok(())
}
