use jiff::Timestamp;
use kit::outbox;
use sqlx::PgConnection;
use types::{ConsumerId, MessageId};

use super::compose_message::compose_message;
use crate::{
    convert,
    db::{consumers, messages},
    domain::{inbox::NewMessage, message_text::MessageText},
};

/// Adds a message to a consumer's inbox and publishes `InboxMessageAdded`, and `NotificationRequested` if the message is
/// also sent by push, SMS or email. Does nothing if the consumer has a message with this reference, or was removed.
pub(crate) async fn add_inbox_message(
    conn: &mut PgConnection,
    message: NewMessage,
    now: Timestamp,
) -> sqlx::Result<()> {
    if let Some((message_id, text)) = add_without_notification(conn, &message, now).await? {
        request_notification(conn, &message, message_id, text, now).await?;
    }
    Ok(())
}

/// As [`add_inbox_message`], but replaces a message of another kind with this reference. Call it only if that message was added by
/// [`add_without_notification`], so that the consumer is notified once.
pub(super) async fn add_or_replace_inbox_message(
    conn: &mut PgConnection,
    message: NewMessage,
    now: Timestamp,
) -> sqlx::Result<()> {
    if consumers::ensure_active(conn, message.consumer_id)
        .await?
        .is_none()
    {
        return Ok(());
    }
    let text = compose_message(conn, &message.notification.text).await?;
    match messages::replace_other_kind(conn, &message, &text).await? {
        Some(message_id) => {
            publish_added(conn, message.consumer_id, message_id, now).await?;
            request_notification(conn, &message, message_id, text, now).await
        }
        None => add_inbox_message(conn, message, now).await,
    }
}

/// Adds a message that is only in the inbox, and returns its id and text. Returns `None` if the consumer has a message with
/// this reference, or was removed.
pub(super) async fn add_without_notification(
    conn: &mut PgConnection,
    message: &NewMessage,
    now: Timestamp,
) -> sqlx::Result<Option<(MessageId, MessageText)>> {
    let consumer_id = message.consumer_id;
    if consumers::ensure_active(conn, consumer_id).await?.is_none() {
        return Ok(None);
    }
    let text = compose_message(conn, &message.notification.text).await?;
    let Some(message_id) = messages::insert(conn, message, &text).await? else {
        return Ok(None);
    };
    publish_added(conn, consumer_id, message_id, now).await?;
    Ok(Some((message_id, text)))
}

async fn publish_added(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    message_id: MessageId,
    now: Timestamp,
) -> sqlx::Result<()> {
    let unseen = messages::count_unseen(conn, consumer_id).await?;
    let entry = convert::event::inbox_message_added(consumer_id, message_id, unseen, now);
    outbox::append(conn, entry).await?;
    Ok(())
}

async fn request_notification(
    conn: &mut PgConnection,
    message: &NewMessage,
    message_id: MessageId,
    text: MessageText,
    now: Timestamp,
) -> sqlx::Result<()> {
    if message.notification.is_sent_out() && message.is_recent(now) {
        let entry = convert::event::notification_requested(message, text, message_id, now);
        outbox::append(conn, entry).await?;
    }
    Ok(())
}
