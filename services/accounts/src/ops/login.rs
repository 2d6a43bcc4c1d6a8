use std::time::Duration;

use kit::{ErrorCode, InternalError, ServiceError};
use uuid::Uuid;

use crate::{
    Accounts,
    config::Rules,
    db::{challenges, messages},
    domain::{
        phone::{InvalidPhone, Phone},
        secret::{self, HashPurpose},
        sign_in::SentCode,
    },
};

const HOUR: Duration = Duration::from_hours(1);

#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    #[error(transparent)]
    InvalidPhone(#[from] InvalidPhone),
    /// Another code was just sent to this number, or a limit per hour is reached.
    #[error("too many codes; retry after {retry_after:?}")]
    TooManyCodes { retry_after: Duration },
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(LoginError);

impl From<LoginError> for ServiceError {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::InvalidPhone(_) => super::phone_invalid(),
            LoginError::TooManyCodes { retry_after } => Self::new(
                ErrorCode::RateLimited,
                "TOO_MANY_CODES",
                "Please wait a moment before you ask for another code.",
            )
            .with_retry_after(retry_after),
            LoginError::Internal(error) => error.into(),
        }
    }
}

/// Creates a sign-in code and queues the message for the worker. The result does not reveal whether the number has an
/// account.
pub async fn login(cx: &Accounts, typed_phone: &str) -> Result<SentCode, LoginError> {
    let phone = Phone::parse(typed_phone)?;
    let now = cx.clock.now();
    let (resend_after, expires_after) = (cx.rules.resend_interval(), cx.rules.code_lifetime());
    let mut tx = cx.pool.begin().await?;
    if let Some(last) = challenges::lock_last_sent(&mut tx, phone.as_str()).await?
        && now < last + resend_after
    {
        let retry_after = (last + resend_after).duration_since(now).unsigned_abs();
        return Err(LoginError::TooManyCodes { retry_after });
    }
    let sent = challenges::count_sent(&mut tx, phone.as_str(), phone.prefix(), now - HOUR).await?;
    if is_limit_reached(&sent, &cx.rules) {
        return Err(LoginError::TooManyCodes { retry_after: HOUR });
    }
    let code = secret::new_code(&mut rand::rng());
    let hash = cx.secret.hash(HashPurpose::Code, &code);
    let (id, expires_at) = (Uuid::new_v4(), now + expires_after);
    challenges::insert(&mut tx, id, phone.as_str(), &hash, now, expires_at).await?;
    let body = format!(
        "{code} is your Order Ahead code. It expires in {} minutes.",
        expires_after.as_secs() / 60
    );
    messages::insert(&mut tx, id, phone.as_str(), &body, now, expires_at).await?;
    tx.commit().await?;
    Ok(SentCode {
        phone,
        resend_after,
        expires_after,
    })
}

fn is_limit_reached(sent: &challenges::SentCounts, rules: &Rules) -> bool {
    let is_reached = sent.to_phone >= rules.sign_in_codes_per_hour
        || sent.to_prefix >= rules.sign_in_codes_per_prefix_per_hour
        || sent.total >= rules.sign_in_codes_in_total_per_hour;
    if is_reached {
        tracing::warn!(
            to_prefix = sent.to_prefix,
            total = sent.total,
            "limit on sign-in codes reached"
        );
    }
    is_reached
}
