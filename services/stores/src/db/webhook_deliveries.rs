//! Deliveries of events to webhook subscriptions.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::{CompanyId, EventId, StoreId, WebhookDeliveryId, WebhookSubscriptionId};

use crate::domain::{
    webhook::{LeasedDelivery, RETRY_WINDOW, WebhookEvent},
    webhook_keys::SealedSecret,
};

/// Returns the subscriptions of the store's company that contain this kind of event.
pub(crate) async fn subscriptions_to(
    conn: &mut PgConnection,
    event: &WebhookEvent,
) -> Result<Vec<WebhookSubscriptionId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT subscription_id AS "id: WebhookSubscriptionId"
           FROM webhook_subscriptions JOIN stores USING (company_id)
           WHERE store_id = $1 AND $2 = ANY (event_kinds)"#,
        event.store_id as StoreId,
        event.kind.as_str(),
    )
    .fetch_all(conn)
    .await
}

/// Inserts the delivery of an event to a subscription, unless it exists or the subscription was deleted.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    subscription_id: WebhookSubscriptionId,
    event: &WebhookEvent,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO webhook_deliveries (delivery_id, subscription_id, event_id, event_kind, payload, next_attempt_at,
                                         retry_until, created_at)
         SELECT $1, subscription_id, $3, $4, $5, $6, $7, $6 FROM webhook_subscriptions WHERE subscription_id = $2
         FOR KEY SHARE
         ON CONFLICT ON CONSTRAINT webhook_deliveries_event_unique DO NOTHING",
        WebhookDeliveryId::new(now) as WebhookDeliveryId,
        subscription_id as WebhookSubscriptionId,
        event.event_id as EventId,
        event.kind.as_str(),
        event.payload,
        now.to_sqlx() as _,
        (now + RETRY_WINDOW).to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Limits of one call and of the sends in progress.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SendLimits {
    /// Of all subscriptions, in this call.
    pub(crate) total: i64,
    /// Of one subscription, those in progress included.
    pub(crate) per_subscription: i64,
    /// As `per_subscription`, while its newest attempt failed.
    pub(crate) per_failing_subscription: i64,
    /// Of all subscriptions whose newest attempt failed, those in progress included.
    pub(crate) all_failing: i64,
}

/// Leases due deliveries, and counts the attempt. Subscriptions take turns: the first send of each is before the second of any, so that
/// the backlog of one does not delay the others. Those whose newest attempt failed come last. Leases expire by the database's clock, because replicas can have different ones.
pub(crate) async fn lease_due(
    conn: &mut PgConnection,
    now: Timestamp,
    lease: Duration,
    limits: SendLimits,
) -> Result<Vec<LeasedDelivery>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"WITH due AS (
               SELECT delivery_id, is_failing, turn, next_attempt_at,
                      row_number() OVER (PARTITION BY is_failing ORDER BY turn, next_attempt_at) AS place
               FROM webhook_subscriptions s
               CROSS JOIN LATERAL (
                   SELECT count(*) AS sends FROM webhook_deliveries l
                   WHERE l.subscription_id = s.subscription_id AND state = 'pending' AND leased_until > now()) progress
               CROSS JOIN LATERAL (
                   SELECT delivery_id, next_attempt_at,
                          progress.sends + row_number() OVER (ORDER BY next_attempt_at) AS turn
                   FROM (SELECT delivery_id, next_attempt_at FROM webhook_deliveries
                         WHERE subscription_id = s.subscription_id AND state = 'pending' AND next_attempt_at <= $1
                               AND (leased_until IS NULL OR leased_until <= now())
                         ORDER BY next_attempt_at
                         LIMIT greatest(0, CASE WHEN s.is_failing THEN $5::bigint ELSE $4 END - progress.sends)
                         FOR UPDATE SKIP LOCKED) locked) d
               WHERE NOT s.paused),
           chosen AS (
               SELECT delivery_id FROM due
               WHERE NOT is_failing
                     OR place <= $6 - (SELECT count(*) FROM webhook_deliveries l JOIN webhook_subscriptions s USING (subscription_id)
                                       WHERE s.is_failing AND state = 'pending' AND leased_until > now())
               ORDER BY is_failing, turn, next_attempt_at LIMIT $3)
           UPDATE webhook_deliveries d SET leased_until = now() + make_interval(secs => $2), attempts = attempts + 1
           FROM chosen, webhook_subscriptions s
           WHERE d.delivery_id = chosen.delivery_id AND s.subscription_id = d.subscription_id
           RETURNING d.delivery_id AS "id: WebhookDeliveryId", s.subscription_id AS "subscription_id: WebhookSubscriptionId",
                     url, payload, attempts, retry_until AS "retry_until: SqlTimestamp", secret,
                     CASE WHEN previous_secret_until > $1 THEN previous_secret END AS "previous_secret?""#,
        now.to_sqlx() as _,
        lease.as_secs_f64(),
        limits.total,
        limits.per_subscription,
        limits.per_failing_subscription,
        limits.all_failing,
    )
    .fetch_all(conn)
    .await?;
    let leased = rows.into_iter().map(|row| LeasedDelivery {
        id: row.id,
        subscription_id: row.subscription_id,
        url: row.url,
        payload: row.payload,
        attempts: row.attempts,
        retry_until: row.retry_until.to_jiff(),
        secrets: std::iter::once(row.secret)
            .chain(row.previous_secret)
            .map(SealedSecret::from_bytes)
            .collect(),
    });
    Ok(leased.collect())
}

/// Result of an attempt.
#[derive(Debug)]
pub(crate) struct Attempt<'a> {
    pub(crate) response_status: Option<u16>,
    /// Empty if it was delivered.
    pub(crate) error: Option<&'a str>,
    /// When the delivery is sent again; `None` if this attempt was the last one.
    pub(crate) next_attempt_at: Option<Timestamp>,
}

/// Records the result of the newest attempt, also as the state of its subscription. Does nothing if the delivery was leased again in the
/// meantime.
pub(crate) async fn record_attempt(
    conn: &mut PgConnection,
    delivery: &LeasedDelivery,
    attempt: &Attempt<'_>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let state = match (attempt.error, attempt.next_attempt_at) {
        (None, _) => "delivered",
        (Some(_), Some(_)) => "pending",
        (Some(_), None) => "failed",
    };
    let recorded = sqlx::query!(
        "UPDATE webhook_deliveries
         SET state = $3, leased_until = NULL, response_status = $4, last_error = $5,
             next_attempt_at = coalesce($6, next_attempt_at), finished_at = CASE WHEN $3 <> 'pending' THEN $7::timestamptz END
         WHERE delivery_id = $1 AND attempts = $2 AND state = 'pending'",
        delivery.id as WebhookDeliveryId,
        delivery.attempts,
        state,
        attempt.response_status.map(i32::from),
        attempt.error,
        attempt.next_attempt_at.map(ToSqlx::to_sqlx) as _,
        now.to_sqlx() as _,
    )
    .execute(&mut *conn)
    .await?;
    if recorded.rows_affected() == 1 {
        set_failing(conn, delivery.subscription_id, attempt.error.is_some()).await?;
    }
    Ok(())
}

/// A statement of its own: removing a subscription locks it before its deliveries, so one transaction for both could deadlock.
async fn set_failing(
    conn: &mut PgConnection,
    subscription_id: WebhookSubscriptionId,
    is_failing: bool,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE webhook_subscriptions SET is_failing = $2 WHERE subscription_id = $1 AND is_failing <> $2",
        subscription_id as WebhookSubscriptionId,
        is_failing,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deliveries that are sent again.
#[derive(Debug, Clone, Copy)]
pub enum ReplaySelection {
    One(WebhookDeliveryId),
    /// All failed ones of a subscription.
    Failed(WebhookSubscriptionId),
    /// All finished ones of a subscription that were created since then.
    Since(WebhookSubscriptionId, Timestamp),
}

/// Makes finished deliveries of the company due again. Returns their number.
pub(crate) async fn replay(
    conn: &mut PgConnection,
    company_id: CompanyId,
    selection: ReplaySelection,
    now: Timestamp,
) -> Result<u64, sqlx::Error> {
    let (delivery_id, subscription_id, since) = match selection {
        ReplaySelection::One(id) => (Some(id), None, None),
        ReplaySelection::Failed(id) => (None, Some(id), None),
        ReplaySelection::Since(id, since) => (None, Some(id), Some(since)),
    };
    let replayed = sqlx::query!(
        "UPDATE webhook_deliveries d
         SET state = 'pending', attempts = 0, next_attempt_at = $5, retry_until = $6, finished_at = NULL,
             leased_until = NULL
         FROM webhook_subscriptions s
         WHERE s.subscription_id = d.subscription_id AND s.company_id = $1 AND d.state <> 'pending'
               AND ($2::uuid IS NULL OR d.delivery_id = $2) AND ($3::uuid IS NULL OR d.subscription_id = $3)
               AND ($2::uuid IS NOT NULL OR d.created_at >= $4 OR ($4 IS NULL AND d.state = 'failed'))",
        company_id as CompanyId,
        delivery_id as Option<WebhookDeliveryId>,
        subscription_id as Option<WebhookSubscriptionId>,
        since.map(ToSqlx::to_sqlx) as _,
        now.to_sqlx() as _,
        (now + RETRY_WINDOW).to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(replayed.rows_affected())
}

/// Lets failed attempts of a subscription's pending deliveries be repeated for the whole retry window from now on.
pub(crate) async fn restart_retry_window(
    conn: &mut PgConnection,
    subscription_id: WebhookSubscriptionId,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE webhook_deliveries SET retry_until = greatest(retry_until, $2)
         WHERE subscription_id = $1 AND state = 'pending'",
        subscription_id as WebhookSubscriptionId,
        (now + RETRY_WINDOW).to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Numbers for metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeliveryCounts {
    pub(crate) pending: i64,
    pub(crate) failed: i64,
}

/// Counts pending deliveries, and those that failed since an instant.
pub(crate) async fn count(
    conn: &mut PgConnection,
    failed_since: Timestamp,
) -> Result<DeliveryCounts, sqlx::Error> {
    sqlx::query_as!(
        DeliveryCounts,
        r#"SELECT (SELECT count(*) FROM webhook_deliveries WHERE state = 'pending') AS "pending!",
                  (SELECT count(*) FROM webhook_deliveries WHERE state = 'failed' AND finished_at >= $1) AS "failed!""#,
        failed_since.to_sqlx() as _,
    )
    .fetch_one(conn)
    .await
}

const DELIVERED_RETENTION: SignedDuration = SignedDuration::from_hours(24 * 7);
const FAILED_RETENTION: SignedDuration = SignedDuration::from_hours(24 * 30);
/// From the event, the last replay or the last resume of the subscription.
const PAUSED_RETENTION: SignedDuration = SignedDuration::from_hours(24 * 30);
pub(crate) const PRUNE_BATCH: i64 = 1_000;

/// Deletes a batch of deliveries past their retention. Returns their number.
pub(crate) async fn prune(conn: &mut PgConnection, now: Timestamp) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM webhook_deliveries WHERE delivery_id = ANY (ARRAY (
             SELECT delivery_id FROM webhook_deliveries
             WHERE finished_at < $1 AND (state = 'delivered' OR finished_at < $2)
             ORDER BY finished_at LIMIT $3 FOR UPDATE SKIP LOCKED))",
        (now - DELIVERED_RETENTION).to_sqlx() as _,
        (now - FAILED_RETENTION).to_sqlx() as _,
        PRUNE_BATCH,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}

/// Deletes a batch of deliveries that waited too long for their subscription to be resumed. Returns their number.
pub(crate) async fn prune_paused(conn: &mut PgConnection, now: Timestamp) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM webhook_deliveries WHERE delivery_id = ANY (ARRAY (
             SELECT d.delivery_id FROM webhook_subscriptions s JOIN webhook_deliveries d USING (subscription_id)
             WHERE s.paused AND d.state = 'pending' AND d.retry_until < $1
             LIMIT $2 FOR UPDATE OF d SKIP LOCKED))",
        (now - PAUSED_RETENTION + RETRY_WINDOW).to_sqlx() as _,
        PRUNE_BATCH,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
