use std::time::Duration;

use contacts::{InvalidPhone, Phone};
use kit::{ErrorCode, InternalError, ServiceError};

use super::DeviceHash;
use crate::Accounts;

/// The shorter window of the gateway's limits.
const RETRY_AFTER: Duration = Duration::from_mins(1);

#[derive(Debug, thiserror::Error)]
pub enum RequireKnownDeviceError {
    #[error(transparent)]
    InvalidPhone(#[from] InvalidPhone),
    #[error("the device never signed in to the account")]
    Unknown,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(RequireKnownDeviceError);

impl From<RequireKnownDeviceError> for ServiceError {
    fn from(error: RequireKnownDeviceError) -> Self {
        match error {
            RequireKnownDeviceError::InvalidPhone(_) => super::phone_invalid(),
            RequireKnownDeviceError::Unknown => Self::new(
                ErrorCode::RateLimited,
                "TOO_MANY_ATTEMPTS",
                "Too many attempts. Please wait a few minutes and try again.",
            )
            .with_retry_after(RETRY_AFTER),
            RequireKnownDeviceError::Internal(error) => error.into(),
        }
    }
}

/// Rejects a sign-in while the gateway's limits are reached, unless the device signed in to the account before. Guesses from
/// many addresses reach these limits, and must not lock the owner out.
pub async fn require_known_device(
    cx: &Accounts,
    typed_phone: &str,
    device_id: &str,
) -> Result<(), RequireKnownDeviceError> {
    let phone = Phone::parse(typed_phone, &cx.countries)?;
    let device = DeviceHash::of(cx, device_id);
    let mut conn = cx.pool.acquire().await?;
    let known = DeviceHash::if_known(device.as_ref(), &mut conn, &phone).await?;
    if known.is_empty() {
        return Err(RequireKnownDeviceError::Unknown);
    }
    Ok(())
}
