//! Signs in the staff of a store with its code and PIN.

use std::{sync::LazyLock, time::Duration};

use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError};
use secrecy::{ExposeSecret, SecretString};
use sqlx::PgConnection;
use types::CredentialId;
use uuid::Uuid;

use crate::{
    Stores,
    db::{self, staff::PinRow},
    domain::{
        secret,
        staff::{
            ADDRESS_WINDOW, Attempt, DEVICE_LIFETIME, MAX_ATTEMPTS_PER_ADDRESS,
            MAX_UNTHROTTLED_ATTEMPTS_PER_STORE, Pin, SESSION_LIFETIME, STORE_WINDOW, SignIn, StaffSession,
            StoreCode, THROTTLE_INTERVAL,
        },
    },
};

#[derive(Debug, thiserror::Error)]
pub(crate) enum SignInStaffError {
    /// The code is unknown or the PIN is wrong. The response is the same for both, so that it does not reveal which
    /// codes exist.
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

/// Hash that is checked if the code is unknown, so that the response takes the same time.
static UNKNOWN_CODE_HASH: LazyLock<Option<String>> = LazyLock::new(|| Pin::generate().hash().ok());

pub(crate) async fn sign_in_staff(
    cx: &Stores,
    sign_in: SignIn,
) -> Result<(SecretString, StaffSession), SignInStaffError> {
    let now = cx.clock.now();
    let code: Option<StoreCode> = sign_in.store_code.parse().ok();
    // Attempts with a malformed code are counted for the address.
    let store_code = code.as_ref().map_or("", StoreCode::as_str);
    let has_device = !sign_in.device_id.expose_secret().is_empty();
    let device_hash = has_device.then(|| secret::hash(&sign_in.device_id));
    let known_device = find_known_device(cx, store_code, device_hash.as_ref()).await?;
    if sign_in.known_devices_only && known_device.is_none() {
        let retry_after = THROTTLE_INTERVAL.unsigned_abs();
        return Err(SignInStaffError::LockedOut { retry_after });
    }
    let attempt = Attempt {
        store_code,
        client_address: &sign_in.client_address,
        device_hash: known_device.map_or(&[], <[u8; 32]>::as_slice),
    };
    count_attempt(cx, &attempt, now).await?;
    let PinRow { store_id, pin_hash } = match &code {
        Some(code) => check_pin(cx, code, &sign_in.pin).await?,
        None => return Err(SignInStaffError::PinInvalid),
    };
    let token = secret::generate_staff_token(&mut rand::rng());
    let session = StaffSession {
        id: CredentialId::new(now),
        store_id,
        expires_at: now + SESSION_LIFETIME,
    };
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    // A new PIN ends the sessions of the old one, so that none may begin after it.
    if db::staff::lock_pin_hash(&mut tx, store_id).await? != Some(pin_hash) {
        return Err(SignInStaffError::PinInvalid);
    }
    db::staff::delete_attempts(&mut tx, &attempt).await?;
    let attempts_before = now - STORE_WINDOW.max(ADDRESS_WINDOW);
    db::staff::prune(&mut tx, now, attempts_before, now - DEVICE_LIFETIME).await?;
    db::staff::insert_session(&mut tx, &session, &secret::hash(&token), now).await?;
    if let Some(device_hash) = &device_hash {
        db::staff_devices::remember(&mut tx, store_id, device_hash, now).await?;
    }
    tx.commit().await?;
    Ok((token, session))
}

/// Returns the device if it signed in to the store before.
async fn find_known_device<'a>(
    cx: &Stores,
    store_code: &str,
    device_hash: Option<&'a [u8; 32]>,
) -> Result<Option<&'a [u8; 32]>, SignInStaffError> {
    let Some(device_hash) = device_hash else {
        return Ok(None);
    };
    let mut conn = cx.pool.acquire().await?;
    let is_known = db::staff_devices::is_known(&mut conn, store_code, device_hash).await?;
    Ok(is_known.then_some(device_hash))
}

/// Counts the attempt before the PIN is compared. A success deletes it.
async fn count_attempt(cx: &Stores, attempt: &Attempt<'_>, now: Timestamp) -> Result<(), SignInStaffError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    db::staff::lock_attempts(&mut tx, attempt).await?;
    let delay = if attempt.is_of_known_device() {
        delay_of_known_device(&mut tx, attempt, now).await?
    } else {
        delay_of_unknown_devices(&mut tx, attempt, now).await?
    };
    if let Some(retry_after) = delay {
        tracing::warn!(
            known_device = attempt.is_of_known_device(),
            "staff sign-in locked out"
        );
        return Err(SignInStaffError::LockedOut { retry_after });
    }
    db::staff::insert_attempt(&mut tx, Uuid::from(CredentialId::new(now)), attempt, now).await?;
    tx.commit().await?;
    Ok(())
}

async fn delay_of_known_device(
    tx: &mut PgConnection,
    attempt: &Attempt<'_>,
    now: Timestamp,
) -> Result<Option<Duration>, sqlx::Error> {
    let since = now - ADDRESS_WINDOW;
    let recent = db::staff::attempts_of_device(tx, attempt.store_code, attempt.device_hash, since).await?;
    Ok(recent.lockout(MAX_ATTEMPTS_PER_ADDRESS, ADDRESS_WINDOW, now))
}

/// Many failures for a store only slow unknown devices down, so that a new device of the store can sign in during an attack.
async fn delay_of_unknown_devices(
    tx: &mut PgConnection,
    attempt: &Attempt<'_>,
    now: Timestamp,
) -> Result<Option<Duration>, sqlx::Error> {
    let of_address = db::staff::attempts_of_address(tx, attempt.client_address, now - ADDRESS_WINDOW).await?;
    let code = attempt.store_code;
    let of_code = db::staff::attempts_of_device(tx, code, attempt.device_hash, now - STORE_WINDOW).await?;
    let delays = [
        of_address.lockout(MAX_ATTEMPTS_PER_ADDRESS, ADDRESS_WINDOW, now),
        // A malformed code belongs to no store.
        of_code
            .throttle_delay(MAX_UNTHROTTLED_ATTEMPTS_PER_STORE, THROTTLE_INTERVAL, now)
            .filter(|_| !code.is_empty()),
    ];
    Ok(delays.into_iter().flatten().max())
}

/// Returns the row of the code's store if the PIN matches.
async fn check_pin(cx: &Stores, code: &StoreCode, pin: &SecretString) -> Result<PinRow, SignInStaffError> {
    let mut conn = cx.pool.acquire().await?;
    let row = db::staff::find_pin(&mut conn, code).await?;
    drop(conn);
    let Ok(pin) = pin.expose_secret().parse::<Pin>() else {
        return Err(SignInStaffError::PinInvalid);
    };
    let hash = row.as_ref().map(|row| row.pin_hash.clone());
    let hash = hash.or_else(|| UNKNOWN_CODE_HASH.clone());
    let Some(hash) = hash else {
        return Err(SignInStaffError::PinInvalid);
    };
    let is_match = tokio::task::spawn_blocking(move || pin.matches(&hash))
        .await
        .map_err(InternalError::invariant_violated)??;
    row.filter(|_| is_match).ok_or(SignInStaffError::PinInvalid)
}
