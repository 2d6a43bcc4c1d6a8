use std::time::Duration;

use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError};
use sqlx::PgConnection;
use types::ConsumerId;

use crate::{
    Accounts,
    db::email_verifications,
    domain::email_verification::{EarlierEmails, HOUR, LIFETIME},
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
            ),
            E::Unavailable => Self::new(
                ErrorCode::RuleViolation,
                "EMAIL_UNAVAILABLE",
                "We can't send emails right now.",
            ),
            E::TooManyEmails { retry_after } => Self::new(
                ErrorCode::RateLimited,
                "TOO_MANY_EMAILS",
                "We just sent you an email. Check your spam folder, or try again later.",
            )
            .with_retry_after(retry_after),
            E::NotFound => super::consumer_unknown(),
            E::Internal(error) => error.into(),
        }
    }
}

/// Queues an email with a link that verifies the consumer's address. Does nothing if it is verified.
pub async fn request_email_verification(
    cx: &Accounts,
    consumer: ConsumerId,
) -> Result<(), RequestEmailVerificationError> {
    let mut tx = cx.pool.begin().await?;
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
    let wait = queue_verification(&mut tx, consumer, &address.email, cx.clock.now()).await?;
    if let Some(retry_after) = wait {
        return Err(RequestEmailVerificationError::TooManyEmails { retry_after });
    }
    tx.commit().await?;
    Ok(())
}

/// Queues the email, or returns how long the consumer waits for the next one. The caller holds the lock of the consumer.
pub(super) async fn queue_verification(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    email: &str,
    now: Timestamp,
) -> Result<Option<Duration>, sqlx::Error> {
    let requested = email_verifications::count_requested(conn, consumer, email, now - HOUR).await?;
    let earlier = EarlierEmails {
        count: requested.to_consumer,
        first_at: requested.first_to_consumer.map(jiff_sqlx::Timestamp::to_jiff),
        last_at: requested.last_to_consumer.map(jiff_sqlx::Timestamp::to_jiff),
        to_address: requested.to_address,
    };
    let wait = earlier.wait(now);
    if wait.is_none() {
        email_verifications::insert(conn, consumer, email, now, now + LIFETIME).await?;
    }
    Ok(wait)
}
