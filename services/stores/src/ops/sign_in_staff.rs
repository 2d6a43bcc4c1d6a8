//! Signs in the staff of a store with its code and PIN.

use std::{sync::LazyLock, time::Duration};

use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError};
use secrecy::{ExposeSecret, SecretString};
use types::{CredentialId, StoreId};
use uuid::Uuid;

use crate::{
    Stores, db,
    domain::{
        secret,
        staff::{
            ADDRESS_WINDOW, MAX_ATTEMPTS_PER_ADDRESS, MAX_ATTEMPTS_PER_STORE, Pin, SESSION_LIFETIME,
            STORE_WINDOW, SignIn, StaffSession, StoreCode,
        },
    },
};

#[derive(Debug, thiserror::Error)]
pub(crate) enum SignInStaffError {
    /// The code is unknown or the PIN is wrong. The response is the same, so that it does not disclose which codes exist.
    #[error("incorrect store code or PIN")]
    PinInvalid,
    #[error("too many attempts; retry after {retry_after:?}")]
    LockedOut { retry_after: Duration },
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(SignInStaffError);

impl From<SignInStaffError> for ServiceError {
    fn from(error: SignInStaffError) -> Self {
        match error {
            SignInStaffError::PinInvalid => Self::new(
                ErrorCode::RuleViolation,
                "STAFF_PIN_INVALID",
                "That store code or PIN is incorrect.",
            )
            .with_field("pin"),
            SignInStaffError::LockedOut { retry_after } => Self::new(
                ErrorCode::RateLimited,
                "STAFF_LOCKED_OUT",
                "Too many incorrect PINs. Please try again later.",
            )
            .with_retry_after(retry_after),
            SignInStaffError::Internal(error) => error.into(),
        }
    }
}

/// Compared with if the code is unknown, so that the response takes as long.
static UNKNOWN_CODE_HASH: LazyLock<Option<String>> = LazyLock::new(|| Pin::generate().hash().ok());

pub(crate) async fn sign_in_staff(
    cx: &Stores,
    sign_in: SignIn,
) -> Result<(SecretString, StaffSession), SignInStaffError> {
    let now = cx.clock.now();
    let code: Option<StoreCode> = sign_in.store_code.parse().ok();
    // Attempts with a malformed code count for the address.
    let counted_code = code.as_ref().map_or("", StoreCode::as_str);
    count_attempt(cx, counted_code, &sign_in.client_address, now).await?;
    let store_id = match &code {
        Some(code) => check_pin(cx, code, &sign_in.pin).await?,
        None => return Err(SignInStaffError::PinInvalid),
    };
    let token = secret::generate_staff_token(&mut rand::rng());
    let session = StaffSession {
        id: CredentialId::new(now),
        store_id,
        expires_at: now + SESSION_LIFETIME,
    };
    let mut tx = cx.pool.begin().await?;
    db::staff::delete_attempts(&mut tx, counted_code, &sign_in.client_address).await?;
    db::staff::prune(&mut tx, now, now - STORE_WINDOW.max(ADDRESS_WINDOW)).await?;
    db::staff::insert_session(&mut tx, &session, &secret::hash(&token), now).await?;
    tx.commit().await?;
    Ok((token, session))
}

/// Counts the attempt before the PIN is compared. A success deletes it.
async fn count_attempt(
    cx: &Stores,
    code: &str,
    address: &str,
    now: Timestamp,
) -> Result<(), SignInStaffError> {
    let mut tx = cx.pool.begin().await?;
    db::staff::lock_attempts(&mut tx, code, address).await?;
    let of_address = db::staff::attempts_of_address(&mut tx, address, now - ADDRESS_WINDOW).await?;
    let of_code = db::staff::attempts_of_code(&mut tx, code, now - STORE_WINDOW).await?;
    let lockout = [
        of_address.lockout(MAX_ATTEMPTS_PER_ADDRESS, ADDRESS_WINDOW, now),
        // A malformed code belongs to no store.
        of_code
            .lockout(MAX_ATTEMPTS_PER_STORE, STORE_WINDOW, now)
            .filter(|_| !code.is_empty()),
    ];
    if let Some(retry_after) = lockout.into_iter().flatten().max() {
        tracing::warn!("staff sign-in locked out");
        return Err(SignInStaffError::LockedOut { retry_after });
    }
    db::staff::insert_attempt(&mut tx, Uuid::from(CredentialId::new(now)), code, address, now).await?;
    tx.commit().await?;
    Ok(())
}

/// Returns the store if code and PIN belong together.
async fn check_pin(cx: &Stores, code: &StoreCode, pin: &SecretString) -> Result<StoreId, SignInStaffError> {
    let mut conn = cx.pool.acquire().await?;
    let row = db::staff::find_pin(&mut conn, code).await?;
    drop(conn);
    let Ok(pin) = pin.expose_secret().parse::<Pin>() else {
        return Err(SignInStaffError::PinInvalid);
    };
    let store_id = row.as_ref().map(|row| row.store_id);
    let hash = row.map(|row| row.pin_hash).or_else(|| UNKNOWN_CODE_HASH.clone());
    let Some(hash) = hash else {
        return Err(SignInStaffError::PinInvalid);
    };
    let is_match = tokio::task::spawn_blocking(move || pin.matches(&hash))
        .await
        .map_err(InternalError::invariant_violated)??;
    store_id.filter(|_| is_match).ok_or(SignInStaffError::PinInvalid)
}
