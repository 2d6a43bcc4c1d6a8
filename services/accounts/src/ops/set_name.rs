//! A consumer says what they are called.

use kit::{ErrorCode, InternalError, ServiceError};
use proto::accounts::v1 as pb;
use types::ConsumerId;

use crate::{
    Accounts,
    db::consumers,
    domain::name::{clean, clean_email},
    ops::get_profile::profile,
};

/// Why a name is not kept.
#[derive(Debug, thiserror::Error)]
pub enum NameError {
    /// Empty, too long, or no text; which field.
    #[error("bad {0}")]
    Invalid(&'static str),
    /// The consumer is gone.
    #[error("no such consumer")]
    Unknown,
    /// Something broke.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(NameError);

impl From<NameError> for ServiceError {
    fn from(error: NameError) -> Self {
        match error {
            NameError::Invalid("email") => Self::new(
                ErrorCode::RuleViolation,
                "EMAIL_INVALID",
                "Please enter a whole email address.",
            )
            .with_field("email"),
            NameError::Invalid(field) => Self::new(
                ErrorCode::RuleViolation,
                "NAME_INVALID",
                "Please enter a name of up to 60 letters.",
            )
            .with_field(field),
            NameError::Unknown => Self::new(
                ErrorCode::NotFound,
                "CONSUMER_UNKNOWN",
                "We do not know this account.",
            ),
            NameError::Internal(fault) => fault.into(),
        }
    }
}

/// Keeps a consumer's name, and the email where one is given.
///
/// # Errors
/// [`NameError`].
pub async fn set_name(
    cx: &Accounts,
    consumer: ConsumerId,
    request: pb::SetNameRequest,
) -> Result<pb::Profile, NameError> {
    let first_name = clean(&request.first_name).map_err(|_| NameError::Invalid("firstName"))?;
    let last_name = if request.last_name.trim().is_empty() {
        String::new()
    } else {
        clean(&request.last_name).map_err(|_| NameError::Invalid("lastName"))?
    };
    let email = request
        .email
        .as_deref()
        .map(clean_email)
        .transpose()
        .map_err(|_| NameError::Invalid("email"))?;
    let mut conn = cx.pool.acquire().await?;
    if !consumers::set_name(&mut conn, consumer, &first_name, &last_name, email.as_deref()).await? {
        return Err(NameError::Unknown);
    }
    consumers::find(&mut conn, consumer)
        .await?
        .map(profile)
        .ok_or(NameError::Unknown)
}
