//! Webhook subscriptions of companies.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::{CompanyId, WebhookSubscriptionId};

use crate::domain::{webhook::Subscription, webhook_keys::SealedSecret};

/// # Errors
/// Violates `webhook_subscriptions_url_unique` if the company has a subscription with the same URL.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    subscription: &Subscription,
    secret: &SealedSecret,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO webhook_subscriptions (subscription_id, company_id, url, event_kinds, secret, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        subscription.id as WebhookSubscriptionId,
        subscription.company_id as CompanyId,
        subscription.url,
        &subscription.event_kinds,
        secret.as_bytes(),
        subscription.created_at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Lists the subscriptions of a company, oldest first, with their numbers of pending and failed deliveries.
pub(crate) async fn list(
    conn: &mut PgConnection,
    company_id: CompanyId,
) -> Result<Vec<Subscription>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT subscription_id AS "id: WebhookSubscriptionId", url, event_kinds, paused,
                  created_at AS "created_at: SqlTimestamp",
                  (SELECT count(*) FROM webhook_deliveries d
                   WHERE d.subscription_id = s.subscription_id AND state = 'pending') AS "pending!",
                  (SELECT count(*) FROM webhook_deliveries d
                   WHERE d.subscription_id = s.subscription_id AND state = 'failed') AS "failed!"
           FROM webhook_subscriptions s WHERE company_id = $1 ORDER BY created_at, subscription_id"#,
        company_id as CompanyId,
    )
    .fetch_all(conn)
    .await?;
    let subscriptions = rows.into_iter().map(|row| Subscription {
        id: row.id,
        company_id,
        url: row.url,
        event_kinds: row.event_kinds,
        paused: row.paused,
        created_at: row.created_at.to_jiff(),
        pending: row.pending,
        failed: row.failed,
    });
    Ok(subscriptions.collect())
}

/// Makes the secret the previous one until `previous_until` and stores a new one. A secret that was still the previous one
/// ends. Returns whether the company has the subscription.
pub(crate) async fn rotate_secret(
    conn: &mut PgConnection,
    company_id: CompanyId,
    id: WebhookSubscriptionId,
    secret: &SealedSecret,
    previous_until: Timestamp,
) -> Result<bool, sqlx::Error> {
    let rotated = sqlx::query!(
        "UPDATE webhook_subscriptions
         SET previous_secret = secret, previous_secret_until = $4, secret = $3
         WHERE subscription_id = $1 AND company_id = $2",
        id as WebhookSubscriptionId,
        company_id as CompanyId,
        secret.as_bytes(),
        previous_until.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(rotated.rows_affected() == 1)
}

/// Returns the secret and the previous secret of each subscription, which stay locked until the transaction ends.
pub(crate) async fn lock_secrets(
    conn: &mut PgConnection,
) -> Result<Vec<(WebhookSubscriptionId, SealedSecret, Option<SealedSecret>)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT subscription_id AS "id: WebhookSubscriptionId", secret, previous_secret
           FROM webhook_subscriptions ORDER BY subscription_id FOR UPDATE"#
    )
    .fetch_all(conn)
    .await?;
    let secrets = rows.into_iter().map(|row| {
        let previous = row.previous_secret.map(SealedSecret::from_bytes);
        (row.id, SealedSecret::from_bytes(row.secret), previous)
    });
    Ok(secrets.collect())
}

/// Replaces the encrypted secrets of a subscription.
pub(crate) async fn set_secrets(
    conn: &mut PgConnection,
    id: WebhookSubscriptionId,
    secret: &SealedSecret,
    previous: Option<&SealedSecret>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE webhook_subscriptions SET secret = $2, previous_secret = $3 WHERE subscription_id = $1",
        id as WebhookSubscriptionId,
        secret.as_bytes(),
        previous.map(SealedSecret::as_bytes),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns whether the company has the subscription.
pub(crate) async fn set_paused(
    conn: &mut PgConnection,
    company_id: CompanyId,
    id: WebhookSubscriptionId,
    paused: bool,
) -> Result<bool, sqlx::Error> {
    let changed = sqlx::query!(
        "UPDATE webhook_subscriptions SET paused = $3 WHERE subscription_id = $1 AND company_id = $2",
        id as WebhookSubscriptionId,
        company_id as CompanyId,
        paused,
    )
    .execute(conn)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Deletes a subscription and its deliveries. Returns whether the company had it.
pub(crate) async fn delete(
    conn: &mut PgConnection,
    company_id: CompanyId,
    id: WebhookSubscriptionId,
) -> Result<bool, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM webhook_subscriptions WHERE subscription_id = $1 AND company_id = $2",
        id as WebhookSubscriptionId,
        company_id as CompanyId,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected() == 1)
}
