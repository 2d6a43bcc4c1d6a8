use contacts::InvalidEmail;
use kit::{ErrorCode, InternalError, ServiceError};
use types::ConsumerId;

use super::request_email_verification::queue_verification;
use crate::{
    Accounts,
    db::{consumers, email_verifications},
    domain::{
        contact::{clean_name, clean_optional_email},
        profile::{Profile, SetName},
    },
};

#[derive(Debug, thiserror::Error)]
pub enum SetNameError {
    #[error("invalid first name")]
    InvalidFirstName,
    #[error("invalid last name")]
    InvalidLastName,
    #[error(transparent)]
    InvalidEmail(#[from] InvalidEmail),
    #[error("consumer not found")]
    NotFound,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(SetNameError);

impl From<SetNameError> for ServiceError {
    fn from(error: SetNameError) -> Self {
        match error {
            SetNameError::InvalidFirstName => name_invalid("firstName"),
            SetNameError::InvalidLastName => name_invalid("lastName"),
            SetNameError::InvalidEmail(_) => Self::new(
                ErrorCode::RuleViolation,
                "EMAIL_INVALID",
                "Please enter a complete email address.",
            )
            .with_field("email"),
            SetNameError::NotFound => super::consumer_unknown(),
            SetNameError::Internal(error) => error.into(),
        }
    }
}

fn name_invalid(field: &'static str) -> ServiceError {
    ServiceError::new(
        ErrorCode::RuleViolation,
        "NAME_INVALID",
        "Please enter a name of up to 60 letters.",
    )
    .with_field(field)
}

/// Sets the consumer's name, and the email address if the command contains one. Queues an email that verifies a new address,
/// unless too many were requested: the consumer can request it later.
pub async fn set_name(
    cx: &Accounts,
    consumer: ConsumerId,
    command: SetName,
) -> Result<Profile, SetNameError> {
    let first_name = clean_name(&command.first_name).map_err(|_| SetNameError::InvalidFirstName)?;
    let last_name = if command.last_name.trim().is_empty() {
        String::new()
    } else {
        clean_name(&command.last_name).map_err(|_| SetNameError::InvalidLastName)?
    };
    let email = command.email.as_deref().map(clean_optional_email).transpose()?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let previous = email_verifications::lock_address(&mut tx, consumer).await?;
    let previous = previous.ok_or(SetNameError::NotFound)?.email;
    if !consumers::set_name(&mut tx, consumer, &first_name, &last_name, email.as_deref()).await? {
        return Err(SetNameError::NotFound);
    }
    let new_email = email.filter(|email| !email.is_empty() && *email != previous);
    if let Some(email) = new_email.filter(|_| cx.notifications.has_email) {
        queue_verification(cx, &mut tx, consumer, &email).await?;
    }
    let profile = consumers::find(&mut tx, consumer).await?;
    tx.commit().await?;
    profile.ok_or(SetNameError::NotFound)
}
