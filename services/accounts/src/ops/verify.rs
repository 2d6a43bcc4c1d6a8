use std::time::Duration;

use contacts::{InvalidPhone, Phone};
use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError, outbox};
use sqlx::{Connection, PgConnection};
use types::{ConsumerId, limits::SIGN_IN_CODE_DIGITS};

use super::{DeviceHash, lock_phone, start_session::start_session};
use crate::{
    Accounts, convert,
    db::{challenges, code_attempts, consumers},
    domain::{
        device::device_name,
        journey_step::JourneyStep,
        profile::Profile,
        secret::{self, HashPurpose},
        session::NewSession,
        share_code::ShareCode,
        sign_in::VerifyCommand,
    },
};

const HOUR: Duration = Duration::from_hours(1);
/// Number of share codes to draw before registration fails because all of them are taken.
const MAX_SHARE_CODE_DRAWS: u32 = 5;

#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    #[error(transparent)]
    InvalidPhone(#[from] InvalidPhone),
    /// The code does not have [`SIGN_IN_CODE_DIGITS`] digits. Such a call does not count as an attempt.
    #[error("malformed code")]
    MalformedCode,
    /// The code is wrong, expired, used or has no attempts left. The response is the same in all cases.
    #[error("incorrect code")]
    IncorrectCode,
    /// The account has no attempts left: the limit per hour is reached.
    #[error("too many attempts; retry after {retry_after:?}")]
    TooManyAttempts { retry_after: Duration },
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(VerifyError);

impl From<VerifyError> for ServiceError {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::InvalidPhone(_) => super::phone_invalid(),
            VerifyError::MalformedCode => Self::new(
                ErrorCode::RuleViolation,
                "CODE_INVALID",
                format!("Enter all {SIGN_IN_CODE_DIGITS} digits."),
            )
            .with_field("code"),
            VerifyError::IncorrectCode => Self::new(
                ErrorCode::RuleViolation,
                "CODE_INCORRECT",
                "That code is incorrect or expired.",
            )
            .with_field("code"),
            VerifyError::TooManyAttempts { retry_after } => Self::new(
                ErrorCode::RateLimited,
                "TOO_MANY_ATTEMPTS",
                "Too many incorrect codes. Please try again in an hour.",
            )
            .with_retry_after(retry_after),
            VerifyError::Internal(error) => error.into(),
        }
    }
}

/// Exchanges a code for a session, and registers the consumer if the number is new. Every call with a well-formed code
/// counts as an attempt.
pub async fn verify(cx: &Accounts, command: &VerifyCommand) -> Result<NewSession, VerifyError> {
    let phone = Phone::parse(&command.phone, &cx.countries)?;
    if command.code.chars().count() != SIGN_IN_CODE_DIGITS {
        return Err(VerifyError::MalformedCode);
    }
    let now = cx.clock.now();
    let device = DeviceHash::of(cx, &command.device_id);
    let challenge_id = check_code(cx, &phone, &command.code, device.as_ref(), now).await?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    // Not while the consumer of the number is removed.
    challenges::lock_phone(&mut tx, phone.as_str()).await?;
    if !challenges::mark_used(&mut tx, challenge_id, now).await? {
        return Err(VerifyError::IncorrectCode);
    }
    let profile = find_or_register(cx, &mut tx, &phone, &command.share_code, now).await?;
    let device_name = device_name(&command.user_agent);
    let session = start_session(
        cx,
        &mut tx,
        profile,
        device.as_ref(),
        &device_name,
        JourneyStep::Web,
    )
    .await?;
    tx.commit().await?;
    Ok(session)
}

/// Counts the attempt, compares the code and returns the id of its challenge.
async fn check_code(
    cx: &Accounts,
    phone: &Phone,
    code: &str,
    device: Option<&DeviceHash>,
    now: Timestamp,
) -> Result<uuid::Uuid, VerifyError> {
    // Without the lock: guesses above the limit must not keep the owner waiting, nor use up the connections to the database.
    let mut conn = cx.pool.acquire().await?;
    find_counted_device(cx, &mut conn, phone, device, now).await?;
    drop(conn);
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    lock_phone(cx, &mut tx, phone).await?;
    let device_hash = find_counted_device(cx, &mut tx, phone, device, now).await?;
    code_attempts::insert(&mut tx, phone.as_str(), device_hash, now).await?;
    let max_attempts = cx.rules.sign_in_attempts_per_code;
    let challenge =
        challenges::attempt_newest(&mut tx, phone.as_str(), device_hash, now, max_attempts).await?;
    // Committed before the code is compared, so that every attempt counts.
    tx.commit().await?;
    challenge
        .filter(|challenge| {
            cx.secret
                .matches(HashPurpose::Code, code.trim(), &challenge.code_hash)
        })
        .map(|challenge| challenge.id)
        .ok_or(VerifyError::IncorrectCode)
}

/// Returns the hash of a known device, or an empty one. Its attempts are counted together.
///
/// # Errors
/// [`VerifyError::TooManyAttempts`] if it has no attempts left.
async fn find_counted_device<'a>(
    cx: &Accounts,
    conn: &mut PgConnection,
    phone: &Phone,
    device: Option<&'a DeviceHash>,
    now: Timestamp,
) -> Result<&'a [u8], VerifyError> {
    let device_hash = DeviceHash::if_known(device, conn, phone).await?;
    let recent = code_attempts::find_recent(conn, phone.as_str(), device_hash, now - HOUR).await?;
    if recent.count < cx.rules.sign_in_attempts_per_hour {
        return Ok(device_hash);
    }
    let oldest = recent.oldest.map_or(now, jiff_sqlx::Timestamp::to_jiff);
    let retry_after = (oldest + HOUR).duration_since(now).unsigned_abs();
    Err(VerifyError::TooManyAttempts { retry_after })
}

async fn find_or_register(
    cx: &Accounts,
    tx: &mut PgConnection,
    phone: &Phone,
    share_code: &str,
    now: Timestamp,
) -> Result<Profile, VerifyError> {
    if let Some(profile) = consumers::find_by_phone(tx, phone.as_str()).await? {
        return Ok(profile);
    }
    let referrer = find_referrer(tx, share_code).await?;
    register(cx, tx, phone, referrer, now).await?;
    let profile = consumers::find_by_phone(tx, phone.as_str()).await?;
    Ok(profile.ok_or_else(|| InternalError::invariant_violated("registered consumer not found"))?)
}

/// Returns the owner of a share code. An unknown code does not prevent a registration.
async fn find_referrer(tx: &mut PgConnection, typed_code: &str) -> sqlx::Result<Option<ConsumerId>> {
    let Some(code) = ShareCode::normalize(typed_code) else {
        return Ok(None);
    };
    let share_code = consumers::find_by_share_code(tx, &code).await?;
    Ok(share_code.map(|code| code.consumer_id))
}

/// Registers the number and appends the event. Does nothing if another request has registered it concurrently.
async fn register(
    cx: &Accounts,
    tx: &mut PgConnection,
    phone: &Phone,
    referrer: Option<ConsumerId>,
    now: Timestamp,
) -> Result<(), VerifyError> {
    let id = ConsumerId::new(now);
    for _ in 0..MAX_SHARE_CODE_DRAWS {
        let share_code = secret::new_share_code(&mut rand::rng());
        // A savepoint: if the share code is taken, only this insert is rolled back.
        let mut savepoint = tx.begin().await?;
        match consumers::insert(&mut savepoint, id, phone.as_str(), &share_code, now).await {
            Ok(false) => return Ok(()),
            Ok(true) => {
                savepoint.commit().await?;
                let phone_hash = cx.secret.hash(HashPurpose::Phone, phone.as_str());
                outbox::append(tx, convert::consumer_registered(id, &phone_hash, referrer, now)).await?;
                return Ok(());
            }
            Err(sqlx::Error::Database(error)) if error.constraint() == Some("consumers_share_code_key") => {
                savepoint.rollback().await?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(InternalError::invariant_violated("no free share code found").into())
}
