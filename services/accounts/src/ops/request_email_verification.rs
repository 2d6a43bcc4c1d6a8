use std::time::Duration;

use kit::{ErrorCode, InternalError, ServiceError};
use sqlx::PgConnection;
use types::ConsumerId;

use crate::{
    Accounts,
    db::email_verifications,
    domain::{
        email_verification::{EarlierEmails, HOUR, LIFETIME, MAX_EMAILS_PER_ADDRESS, format_wait},
        secret::HashPurpose,
    },
};

#[derive(Debug, thiserror::Error)]
pub enum RequestEmailVerificationError {
    #[error("the profile has no email address")]
    NoEmail,
    #[error("no mail server is configured")]
    Unavailable,
    #[error("too many emails; retry after {retry_after:?}")]
    TooManyEmails { retry_after: Duration },
    #[error("consumer not found")]
    NotFound,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(RequestEmailVerificationError);

impl From<RequestEmailVerificationError> for ServiceError {
    fn from(error: RequestEmailVerificationError) -> Self {
        use RequestEmailVerificationError as E;
        match error {
            E::NoEmail => Self::new(
                ErrorCode::RuleViolation,
                "EMAIL_MISSING",
                "Add your email address to your profile first.",
            )
            .with_field("email"),
            E::Unavailable => Self::new(
                ErrorCode::RuleViolation,
                "EMAIL_UNAVAILABLE",
                "We can't send emails right now.",
            ),
            E::TooManyEmails { retry_after } => Self::new(
                ErrorCode::RateLimited,
                "TOO_MANY_EMAILS",
                format!(
                    "We've already sent you an email. Check your spam folder, or try again {}.",
                    format_wait(retry_after)
                ),
            )
            .with_retry_after(retry_after),
            E::NotFound => super::consumer_unknown(),
            E::Internal(error) => error.into(),
        }
    }
}

/// Queues an email with a link that verifies the consumer's address. Does nothing if it is verified, or if an email to the same
/// address was queued within a minute.
pub async fn request_email_verification(
    cx: &Accounts,
    consumer: ConsumerId,
) -> Result<(), RequestEmailVerificationError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let address = email_verifications::lock_address(&mut tx, consumer).await?;
    let address = address.ok_or(RequestEmailVerificationError::NotFound)?;
    if address.is_verified {
        return Ok(());
    }
    if address.email.is_empty() {
        return Err(RequestEmailVerificationError::NoEmail);
    }
    if !cx.notifications.has_email {
        return Err(RequestEmailVerificationError::Unavailable);
    }
    let wait = queue_verification(cx, &mut tx, consumer, &address.email).await?;
    if let Some(retry_after) = wait {
        return Err(RequestEmailVerificationError::TooManyEmails { retry_after });
    }
    tx.commit().await?;
    Ok(())
}

/// Queues the email unless one to the same address was just queued, or returns how long the consumer waits for the next one. The
/// caller holds the lock of the consumer.
pub(super) async fn queue_verification(
    cx: &Accounts,
    conn: &mut PgConnection,
    consumer: ConsumerId,
    email: &str,
) -> Result<Option<Duration>, sqlx::Error> {
    let now = cx.clock.now();
    email_verifications::lock_emails_to(conn, &email.to_lowercase()).await?;
    let requested = email_verifications::count_requested(conn, consumer, email, now - HOUR).await?;
    let limit = MAX_EMAILS_PER_ADDRESS;
    let expiries = email_verifications::list_expiries_of_address(
        conn,
        email,
        &email_hash(cx, email),
        now - LIFETIME,
        limit.into(),
    )
    .await?;
    let earlier = EarlierEmails {
        count: requested.count,
        first_at: requested.first.map(jiff_sqlx::Timestamp::to_jiff),
        last_at: requested.last.map(jiff_sqlx::Timestamp::to_jiff),
        address_free_at: expiries.get(usize::from(limit) - 1).copied(),
    };
    if earlier.is_just_sent(now) {
        return Ok(None);
    }
    let wait = earlier.wait(now);
    if wait.is_none() {
        email_verifications::insert(conn, consumer, email, now, now + LIFETIME).await?;
    }
    Ok(wait)
}

/// Anonymizes the links of a locked consumer who is removed: their times stay under the hash of the address, so that its limit stays.
pub(super) async fn anonymize_verifications(
    cx: &Accounts,
    conn: &mut PgConnection,
    consumer: ConsumerId,
) -> Result<(), sqlx::Error> {
    for link in email_verifications::list_links(conn, consumer).await? {
        email_verifications::insert_anonymized(conn, &email_hash(cx, &link.email), &link).await?;
    }
    Ok(())
}

fn email_hash(cx: &Accounts, email: &str) -> Vec<u8> {
    cx.secret.hash(HashPurpose::Email, &email.to_lowercase())
}
