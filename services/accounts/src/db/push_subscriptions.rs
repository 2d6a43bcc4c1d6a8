//! Devices that get push notifications.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, SessionId};
use uuid::Uuid;

use crate::domain::push::PushSubscription;

/// Stores the device of a session and returns `true`, or `false` if the session is not an active one of the consumer. A
/// device belongs to the session that registered it last.
pub(crate) async fn save(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    session: SessionId,
    subscription: &PushSubscription,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let session = sqlx::query_scalar!(
        "SELECT id FROM sessions WHERE id = $1 AND consumer_id = $2 AND ended_at IS NULL AND expires_at > $3
         FOR NO KEY UPDATE",
        session.uuid(),
        consumer.uuid(),
        now.to_sqlx(),
    )
    .fetch_optional(&mut *conn)
    .await?;
    let Some(session) = session else {
        return Ok(false);
    };
    let endpoint = subscription.endpoint();
    sqlx::query!(
        "DELETE FROM push_subscriptions WHERE session_id = $1 AND endpoint <> $2",
        session,
        endpoint
    )
    .execute(&mut *conn)
    .await?;
    let (p256dh, auth) = match subscription {
        PushSubscription::Web { p256dh, auth, .. } => (Some(p256dh.as_slice()), Some(auth.as_slice())),
        PushSubscription::Native { .. } => (None, None),
    };
    // Another session gets another id, so that no notification of the previous one is sent to it.
    sqlx::query!(
        "INSERT INTO push_subscriptions AS known (id, session_id, endpoint, p256dh, auth, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT ON CONSTRAINT push_subscriptions_endpoint_key DO UPDATE SET
             id = CASE WHEN known.session_id = excluded.session_id THEN known.id ELSE excluded.id END,
             session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth",
        SessionId::new(now).uuid(),
        session,
        endpoint,
        p256dh,
        auth,
        now.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(true)
}

/// Returns the devices of a consumer with an active session.
pub(crate) async fn list(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    now: Timestamp,
) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT push_subscriptions.id FROM push_subscriptions
         JOIN sessions ON sessions.id = push_subscriptions.session_id
         WHERE sessions.consumer_id = $1 AND sessions.ended_at IS NULL AND sessions.expires_at > $2",
        consumer.uuid(),
        now.to_sqlx(),
    )
    .fetch_all(conn)
    .await
}

/// Returns a device of a consumer if its session is active.
pub(crate) async fn find(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    id: Uuid,
    now: Timestamp,
) -> Result<Option<PushSubscription>, sqlx::Error> {
    let row = sqlx::query!(
        "SELECT endpoint, p256dh, auth FROM push_subscriptions
         JOIN sessions ON sessions.id = push_subscriptions.session_id
         WHERE push_subscriptions.id = $1 AND sessions.consumer_id = $2 AND sessions.ended_at IS NULL
             AND sessions.expires_at > $3",
        id,
        consumer.uuid(),
        now.to_sqlx(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| match (row.p256dh, row.auth) {
        (Some(p256dh), Some(auth)) => PushSubscription::Web {
            endpoint: row.endpoint,
            p256dh,
            auth,
        },
        _ => PushSubscription::Native { token: row.endpoint },
    }))
}

/// Deletes a device that its push service no longer knows.
pub(crate) async fn delete(conn: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM push_subscriptions WHERE id = $1", id)
        .execute(conn)
        .await?;
    Ok(())
}
