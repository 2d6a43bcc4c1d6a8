//! Sends a sign-in code. The answer is the same for known and unknown numbers.

use std::time::Duration;

use kit::{ErrorCode, InternalError, ServiceError};
use proto::accounts::v1 as pb;
use uuid::Uuid;

use crate::{
    Accounts,
    db::{challenges, messages},
    domain::{
        phone::{NotAPhone, Phone},
        secret,
    },
};

const HOUR: Duration = Duration::from_secs(3600);

/// Why no code was sent.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// Not a phone number.
    #[error(transparent)]
    Phone(#[from] NotAPhone),
    /// A code was sent a moment ago, or too many were.
    #[error("too many codes; again in {again:?}")]
    TooMany {
        /// When another may be asked for.
        again: Duration,
    },
    /// Something broke.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(LoginError);

impl From<LoginError> for ServiceError {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::Phone(_) => Self::new(
                ErrorCode::RuleViolation,
                "PHONE_INVALID",
                "Please enter a phone number that can receive texts.",
            )
            .with_field("phone"),
            LoginError::TooMany { again } => Self::new(
                ErrorCode::RateLimited,
                "TOO_MANY_CODES",
                "Please wait a moment before asking for another code.",
            )
            .with_retry_after(again),
            LoginError::Internal(fault) => fault.into(),
        }
    }
}

/// Makes a code, keeps its hash, and leaves the message to the worker; one transaction.
///
/// # Errors
/// [`LoginError`].
pub async fn login(cx: &Accounts, typed: &str) -> Result<pb::LoginResponse, LoginError> {
    let phone = Phone::parse(typed)?;
    let now = cx.clock.now();
    let resend = Duration::from_secs(cx.rules.sign_in_resend_seconds);
    let good_for = Duration::from_secs(cx.rules.sign_in_code_seconds);
    let mut tx = cx.pool.begin().await?;
    if let Some(last) = challenges::lock_last_sent(&mut tx, phone.as_str()).await?
        && now < last + resend
    {
        let again = (last + resend).duration_since(now).unsigned_abs();
        return Err(LoginError::TooMany { again });
    }
    let sent = challenges::count_sent(&mut tx, phone.as_str(), phone.prefix(), now - HOUR).await?;
    let rules = cx.rules;
    if sent.to_phone >= rules.sign_in_codes_an_hour
        || sent.to_prefix >= rules.sign_in_codes_a_prefix_an_hour
        || sent.in_all >= rules.sign_in_codes_in_all_an_hour
    {
        tracing::warn!(
            to_prefix = sent.to_prefix,
            in_all = sent.in_all,
            "cap on sign-in codes reached"
        );
        return Err(LoginError::TooMany { again: HOUR });
    }
    let code = secret::new_code(&mut rand::rng());
    let hash = cx.secret.hash("code", &code);
    let id = Uuid::new_v4();
    challenges::insert(&mut tx, id, phone.as_str(), &hash, now, now + good_for).await?;
    let body = format!(
        "{code} is your Order Ahead code. It is good for {} minutes.",
        good_for.as_secs() / 60
    );
    messages::insert(&mut tx, id, phone.as_str(), &body, now, now + good_for).await?;
    tx.commit().await?;
    let seconds = |time: Duration| u32::try_from(time.as_secs()).unwrap_or(u32::MAX);
    Ok(pb::LoginResponse {
        phone: phone.as_str().to_owned(),
        resend_after_seconds: seconds(resend),
        expires_after_seconds: seconds(good_for),
    })
}
