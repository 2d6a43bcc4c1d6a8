//! Notifications to send. Leases use the database's clock, which all replicas share.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, MessageId};
use uuid::Uuid;

use crate::domain::notification::{Channel, RequestedNotification, Schedule, URGENT_TEMPLATES};

/// A notification on one channel, and one device for push, leased by a worker.
#[derive(Debug, Clone)]
pub(crate) struct Notification {
    pub(crate) message_id: MessageId,
    pub(crate) channel: String,
    /// The push subscription; the nil UUID for the other channels.
    pub(crate) target_id: Uuid,
    pub(crate) consumer_id: ConsumerId,
    pub(crate) template: String,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) order_id: String,
    pub(crate) expires_at: Timestamp,
    pub(crate) attempts: i32,
}

/// How a notification ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndState {
    Sent,
    Rejected,
    /// It may have been sent, and is not sent again.
    Unclear,
    /// The consumer turned the channel off or signed out, or a later event of the order makes it outdated.
    Withheld,
}

impl EndState {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Rejected => "rejected",
            Self::Unclear => "unclear",
            Self::Withheld => "withheld",
        }
    }
}

/// Inserts a notification, unless the message was requested before on this channel and device.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    notification: &RequestedNotification,
    channel: Channel,
    target: Uuid,
    schedule: Schedule,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO notifications
             (message_id, channel, target_id, consumer_id, template, title, body, order_id, created_at, send_after, expires_at,
              occurred_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         ON CONFLICT ON CONSTRAINT notifications_pkey DO NOTHING",
        notification.message_id.uuid(),
        channel.as_str(),
        target,
        notification.consumer_id.uuid(),
        notification.template,
        notification.title,
        notification.body,
        notification.order_id,
        now.to_sqlx(),
        schedule.send_after.to_sqlx(),
        schedule.expires_at.to_sqlx(),
        notification.occurred_at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Leases up to `limit` due notifications of a channel, oldest first. A notification that its worker did not begin to send is leased
/// again when its lease expires. So is a push that may have been sent: the device shows a repeated one once.
pub(crate) async fn lease(
    conn: &mut PgConnection,
    channel: Channel,
    now: Timestamp,
    lease: Duration,
    limit: i64,
) -> Result<Vec<Notification>, sqlx::Error> {
    sqlx::query_as!(
        Notification,
        "UPDATE notifications SET attempts = attempts + 1, leased_until = now() + make_interval(secs => $2)
         WHERE (message_id, channel, target_id) IN (
             SELECT message_id, channel, target_id FROM notifications
             WHERE channel = $4 AND (state = 'queued' OR (state = 'sending' AND channel = 'push'))
                 AND (leased_until IS NULL OR leased_until < now()) AND send_after <= $1 AND expires_at > $1
             ORDER BY send_after LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING message_id, channel, target_id, consumer_id, template, title, body, order_id, expires_at,
             attempts",
        now.to_sqlx(),
        lease.as_secs_f64(),
        limit,
        channel.as_str(),
    )
    .fetch_all(conn)
    .await
}

/// Records that a leased notification is being sent, and extends its lease. Returns `false` if it was leased again already.
pub(crate) async fn begin_sending(
    conn: &mut PgConnection,
    notification: &Notification,
    lease: Duration,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "UPDATE notifications SET state = 'sending', leased_until = now() + make_interval(secs => $5)
         WHERE message_id = $1 AND channel = $2 AND target_id = $3 AND attempts = $4 AND state IN ('queued', 'sending')",
        notification.message_id.uuid(),
        notification.channel,
        notification.target_id,
        notification.attempts,
        lease.as_secs_f64(),
    )
    .execute(conn)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Returns whether a notification about a later event of the same order was requested, on any channel, or the consumer canceled the
/// order after the event.
pub(crate) async fn is_outdated(
    conn: &mut PgConnection,
    notification: &Notification,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
             SELECT FROM notifications newer JOIN notifications USING (consumer_id, order_id)
             WHERE notifications.message_id = $1 AND notifications.channel = $2 AND notifications.target_id = $3
                 AND order_id <> '' AND newer.template = ANY($4) AND newer.occurred_at > notifications.occurred_at
           ) OR EXISTS (
             SELECT FROM canceled_orders JOIN notifications USING (consumer_id, order_id)
             WHERE message_id = $1 AND channel = $2 AND target_id = $3 AND canceled_at > occurred_at
           ) AS "is_outdated!""#,
        notification.message_id.uuid(),
        notification.channel,
        notification.target_id,
        &URGENT_TEMPLATES.map(str::to_owned)[..],
    )
    .fetch_one(conn)
    .await
}

/// Ends text messages and emails whose worker stopped while it sent them. Returns their number.
pub(crate) async fn end_interrupted(conn: &mut PgConnection) -> Result<u64, sqlx::Error> {
    let ended = sqlx::query!(
        "UPDATE notifications SET state = 'unclear'
         WHERE state = 'sending' AND channel <> 'push' AND leased_until < now()"
    )
    .execute(conn)
    .await?;
    Ok(ended.rows_affected())
}

/// Ends a leased notification. Does nothing if it was leased again already.
pub(crate) async fn end(
    conn: &mut PgConnection,
    notification: &Notification,
    state: EndState,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE notifications SET state = $5
         WHERE message_id = $1 AND channel = $2 AND target_id = $3 AND attempts = $4 AND state IN ('queued', 'sending')",
        notification.message_id.uuid(),
        notification.channel,
        notification.target_id,
        notification.attempts,
        state.as_str(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Makes a leased notification that was not sent available at this time. Does nothing if it was leased again already.
pub(crate) async fn postpone(
    conn: &mut PgConnection,
    notification: &Notification,
    send_after: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE notifications SET state = 'queued', leased_until = NULL, send_after = $5
         WHERE message_id = $1 AND channel = $2 AND target_id = $3 AND attempts = $4 AND state IN ('queued', 'sending')",
        notification.message_id.uuid(),
        notification.channel,
        notification.target_id,
        notification.attempts,
        send_after.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Makes a leased notification that was not sent available after `delay`, behind those that became due until now. Does nothing if it
/// was leased again already.
pub(crate) async fn retry_after(
    conn: &mut PgConnection,
    notification: &Notification,
    now: Timestamp,
    delay: Duration,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE notifications SET state = 'queued', leased_until = now() + make_interval(secs => $5), send_after = $6
         WHERE message_id = $1 AND channel = $2 AND target_id = $3 AND attempts = $4 AND state = 'sending'",
        notification.message_id.uuid(),
        notification.channel,
        notification.target_id,
        notification.attempts,
        delay.as_secs_f64(),
        now.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}
