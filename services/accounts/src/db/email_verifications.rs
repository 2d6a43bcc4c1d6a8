//! Links that verify email addresses, found by the hash of their token. Leases use the database's clock, which all replicas share.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ConsumerId;
use uuid::Uuid;

/// The address of a consumer.
#[derive(Debug)]
pub(crate) struct Address {
    pub(crate) email: String,
    pub(crate) is_verified: bool,
}

/// Locks the consumer, so that concurrent requests are counted one after another.
pub(crate) async fn lock_address(
    conn: &mut PgConnection,
    consumer: ConsumerId,
) -> Result<Option<Address>, sqlx::Error> {
    sqlx::query_as!(
        Address,
        r#"SELECT email, verified_email IS NOT DISTINCT FROM email AS "is_verified!" FROM consumers WHERE id = $1 FOR NO KEY UPDATE"#,
        consumer.uuid()
    )
    .fetch_optional(conn)
    .await
}

/// Locks the emails to an address until the end of the transaction, so that requests of several consumers cannot exceed its limit.
pub(crate) async fn lock_emails_to(conn: &mut PgConnection, email: &str) -> Result<(), sqlx::Error> {
    let lock_name = format!("email_verifications {email}");
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", lock_name)
        .fetch_one(conn)
        .await?;
    Ok(())
}

/// Emails that a consumer requested.
#[derive(Debug)]
pub(crate) struct RequestedEmails {
    /// Since an instant. Used and unused links count.
    pub(crate) count: i64,
    pub(crate) first: Option<jiff_sqlx::Timestamp>,
    /// To one address. Links that were used, or not sent because the address changed, do not count.
    pub(crate) last: Option<jiff_sqlx::Timestamp>,
}

pub(crate) async fn count_requested(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    email: &str,
    since: Timestamp,
) -> Result<RequestedEmails, sqlx::Error> {
    sqlx::query_as!(
        RequestedEmails,
        r#"SELECT count(*) FILTER (WHERE created_at > $2) AS "count!",
                  min(created_at) FILTER (WHERE created_at > $2) AS "first",
                  max(created_at) FILTER (WHERE lower(email) = lower($3) AND (token_hash IS NOT NULL OR NOT is_finished)) AS "last"
           FROM email_verifications WHERE consumer_id = $1"#,
        consumer.uuid(),
        since.to_sqlx(),
        email,
    )
    .fetch_one(conn)
    .await
}

/// Returns when the last `limit` emails to an address that any consumer requested since an instant expire, latest first. Consumers who
/// were removed count.
pub(crate) async fn list_expiries_of_address(
    conn: &mut PgConnection,
    email: &str,
    email_hash: &[u8],
    since: Timestamp,
    limit: i64,
) -> Result<Vec<Timestamp>, sqlx::Error> {
    let expiries = sqlx::query_scalar!(
        r#"SELECT expires_at AS "expires_at!" FROM (
               SELECT created_at, expires_at FROM email_verifications WHERE lower(email) = lower($1)
               UNION ALL
               SELECT created_at, expires_at FROM anonymized_email_verifications WHERE email_hash = $2) AS emails
           WHERE created_at > $3 ORDER BY created_at DESC LIMIT $4"#,
        email,
        email_hash,
        since.to_sqlx(),
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(expiries.into_iter().map(jiff_sqlx::Timestamp::to_jiff).collect())
}

pub(crate) async fn insert(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    email: &str,
    created_at: Timestamp,
    expires_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO email_verifications (id, consumer_id, email, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
        Uuid::new_v4(),
        consumer.uuid(),
        email,
        created_at.to_sqlx(),
        expires_at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// An email to send, leased by a worker.
#[derive(Debug)]
pub(crate) struct VerificationEmail {
    pub(crate) id: Uuid,
    pub(crate) email: String,
    pub(crate) attempts: i32,
}

/// Leases up to `limit` emails, oldest first.
pub(crate) async fn lease(
    conn: &mut PgConnection,
    now: Timestamp,
    lease: Duration,
    limit: i64,
) -> Result<Vec<VerificationEmail>, sqlx::Error> {
    sqlx::query_as!(
        VerificationEmail,
        "UPDATE email_verifications SET attempts = attempts + 1, leased_until = now() + make_interval(secs => $2)
         WHERE id IN (
             SELECT id FROM email_verifications
             WHERE NOT is_finished AND (leased_until IS NULL OR leased_until < now()) AND expires_at > $1
             ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING id, email, attempts",
        now.to_sqlx(),
        lease.as_secs_f64(),
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Sets the token of a leased email. Returns `false` if the email was leased again, or the consumer has another address by now or
/// verified this one.
pub(crate) async fn set_token(
    conn: &mut PgConnection,
    email: &VerificationEmail,
    token_hash: &[u8],
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "UPDATE email_verifications SET token_hash = $3
         WHERE id = $1 AND attempts = $2 AND NOT is_finished
             AND EXISTS (SELECT FROM consumers WHERE consumers.id = email_verifications.consumer_id
                         AND consumers.email = email_verifications.email
                         AND consumers.verified_email IS DISTINCT FROM consumers.email)",
        email.id,
        email.attempts,
        token_hash,
    )
    .execute(conn)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Does nothing if the email was leased again.
pub(crate) async fn finish(conn: &mut PgConnection, email: &VerificationEmail) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE email_verifications SET is_finished = true WHERE id = $1 AND attempts = $2",
        email.id,
        email.attempts,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Makes a leased email that was not sent available after `delay`. Does nothing if it was leased again.
pub(crate) async fn retry_after(
    conn: &mut PgConnection,
    email: &VerificationEmail,
    delay: Duration,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE email_verifications SET leased_until = now() + make_interval(secs => $3) WHERE id = $1 AND attempts = $2",
        email.id,
        email.attempts,
        delay.as_secs_f64(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Uses an unexpired token of the consumer, once, and returns its address.
pub(crate) async fn use_token(
    conn: &mut PgConnection,
    token_hash: &[u8],
    consumer: ConsumerId,
    now: Timestamp,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "UPDATE email_verifications SET token_hash = NULL, used_token_hash = token_hash, is_finished = true
         WHERE token_hash = $1 AND consumer_id = $2 AND expires_at > $3 RETURNING email",
        token_hash,
        consumer.uuid(),
        now.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// Returns whether the consumer verified their current address with this unexpired token.
pub(crate) async fn has_verified_address(
    conn: &mut PgConnection,
    token_hash: &[u8],
    consumer: ConsumerId,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
               SELECT FROM email_verifications link JOIN consumers ON consumers.id = link.consumer_id
               WHERE link.consumer_id = $2 AND link.used_token_hash = $1 AND link.expires_at > $3
                   AND link.email = consumers.email AND consumers.verified_email = consumers.email) AS "is_verified!""#,
        token_hash,
        consumer.uuid(),
        now.to_sqlx(),
    )
    .fetch_one(conn)
    .await
}

/// A link of a consumer, without its token.
#[derive(Debug)]
pub(crate) struct RequestedLink {
    pub(crate) email: String,
    pub(crate) created_at: jiff_sqlx::Timestamp,
    pub(crate) expires_at: jiff_sqlx::Timestamp,
}

pub(crate) async fn list_links(
    conn: &mut PgConnection,
    consumer: ConsumerId,
) -> Result<Vec<RequestedLink>, sqlx::Error> {
    sqlx::query_as!(
        RequestedLink,
        "SELECT email, created_at, expires_at FROM email_verifications WHERE consumer_id = $1",
        consumer.uuid()
    )
    .fetch_all(conn)
    .await
}

/// Keeps the time of an email to an address, for its limit.
pub(crate) async fn insert_anonymized(
    conn: &mut PgConnection,
    email_hash: &[u8],
    link: &RequestedLink,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO anonymized_email_verifications (email_hash, created_at, expires_at) VALUES ($1, $2, $3)",
        email_hash,
        link.created_at,
        link.expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Marks an address as verified. Returns `false` if the consumer has another one. `email_verified_at` is written for the
/// previous release only, which reads it.
pub(crate) async fn mark_verified(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    email: &str,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "UPDATE consumers SET verified_email = email, email_verified_at = $3 WHERE id = $1 AND email = $2",
        consumer.uuid(),
        email,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(updated.rows_affected() == 1)
}
