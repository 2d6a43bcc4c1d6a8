use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::ConsumerId;

use super::{add_inbox_message::add_inbox_message, settle_invitation::settle_invitation};
use crate::{
    config::Rules,
    db::{claims, consumers, invitations},
    domain::{inbox::NewMessage, notification::Notification},
};

/// Stores the hash of the consumer's phone number, for codes that are allowed once, and who invited them, and welcomes
/// them. Does nothing if the consumer was removed.
pub(crate) async fn register_consumer(
    conn: &mut PgConnection,
    rules: Rules,
    consumer_id: ConsumerId,
    phone_hash: Option<&str>,
    referrer_id: Option<ConsumerId>,
    registered_at: Timestamp,
    now: Timestamp,
) -> Result<(), InternalError> {
    if !consumers::register(conn, consumer_id, phone_hash).await? {
        return Ok(());
    }
    if let Some(phone_hash) = phone_hash {
        claims::set_phone_hash(conn, consumer_id, phone_hash).await?;
    }
    if let Some(referrer_id) = referrer_id.filter(|referrer_id| *referrer_id != consumer_id) {
        invitations::insert(conn, consumer_id, phone_hash, referrer_id, registered_at).await?;
        // The order may have been received before the registration.
        settle_invitation(conn, rules, consumer_id, now).await?;
    }
    welcome(conn, consumer_id, registered_at, now).await?;
    Ok(())
}

/// Adds the welcome message, once.
pub(super) async fn welcome(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    at: Timestamp,
    now: Timestamp,
) -> sqlx::Result<()> {
    // One per consumer.
    let reference = "welcome".to_owned();
    let message = NewMessage {
        consumer_id,
        reference,
        notification: Notification::welcome(),
        order_id: None,
        at,
        useful_until: None,
    };
    add_inbox_message(conn, message, now).await
}
