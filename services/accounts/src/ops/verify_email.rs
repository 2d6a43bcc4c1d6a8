use kit::{ErrorCode, InternalError, ServiceError};
use types::ConsumerId;

use crate::{
    Accounts,
    db::{consumers, email_verifications},
    domain::{profile::Profile, secret::token_hash},
};

#[derive(Debug, thiserror::Error)]
pub enum VerifyEmailError {
    /// Unknown or expired, of another consumer or address, or used for an address that was changed since.
    #[error("invalid token")]
    InvalidToken,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(VerifyEmailError);

impl From<VerifyEmailError> for ServiceError {
    fn from(error: VerifyEmailError) -> Self {
        match error {
            VerifyEmailError::InvalidToken => Self::new(
                ErrorCode::RuleViolation,
                "EMAIL_TOKEN_INVALID",
                "This link is invalid or expired. You can send a new one from your settings.",
            )
            .with_field("token"),
            VerifyEmailError::Internal(error) => error.into(),
        }
    }
}

/// Verifies the consumer's email address with the token of a link, once. A repeated call succeeds while the link has not expired and
/// the address is still the verified one: the first response may be lost, or the link may be opened twice.
///
/// Only the consumer who requested the link can use it: otherwise a stranger's account could get the address of a person
/// who opens the link unsuspectingly.
pub async fn verify_email(
    cx: &Accounts,
    consumer: ConsumerId,
    token: &str,
) -> Result<Profile, VerifyEmailError> {
    let (now, token_hash) = (cx.clock.now(), token_hash(token));
    let mut tx = cx.pool.begin().await?;
    let is_verified = match email_verifications::use_token(&mut tx, &token_hash, consumer, now).await? {
        Some(email) => email_verifications::mark_verified(&mut tx, consumer, &email, now).await?,
        None => email_verifications::has_verified_address(&mut tx, &token_hash, consumer, now).await?,
    };
    if !is_verified {
        return Err(VerifyEmailError::InvalidToken);
    }
    let profile = consumers::find(&mut tx, consumer)
        .await?
        .ok_or(VerifyEmailError::InvalidToken)?;
    tx.commit().await?;
    Ok(profile)
}
