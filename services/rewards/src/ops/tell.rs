//! Puts a message into an inbox.

use jiff::Timestamp;
use proto::rewards::v1::InboxMessageAdded;
use sqlx::PgConnection;
use types::{ConsumerId, OrderId};

use crate::{db, domain::Notice};

/// Tells a consumer `now` what happened `at` some time, once for each reference. Who was removed is not told.
pub(crate) async fn tell(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    reference: &str,
    notice: &Notice,
    order: Option<OrderId>,
    at: Timestamp,
    now: Timestamp,
) -> sqlx::Result<()> {
    if db::consumers::enter(conn, consumer).await?.is_none() {
        return Ok(());
    }
    let Some(message) = db::messages::insert(conn, consumer, reference, notice, order, at).await? else {
        return Ok(());
    };
    let unseen = db::messages::count(conn, consumer).await?.unseen;
    let fact = InboxMessageAdded {
        consumer_id: consumer.to_string(),
        message_id: message.to_string(),
        unseen,
    };
    kit::outbox::append(conn, &message.to_string(), 1, now, &fact)
        .await
        .map(drop)
}
