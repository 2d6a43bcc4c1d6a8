use std::time::Duration;

use contacts::{InvalidPhone, Phone};
use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError};
use secrecy::ExposeSecret;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{DeviceHash, lock_phone};
use crate::{
    Accounts,
    db::{challenges, messages},
    domain::{
        secret::{self, HashPurpose},
        sign_in::SentCode,
    },
};

const HOUR: Duration = Duration::from_hours(1);

#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    #[error(transparent)]
    InvalidPhone(#[from] InvalidPhone),
    /// Another code was just sent to this number and device, or a limit per hour is reached.
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
pub async fn login(cx: &Accounts, typed_phone: &str, device_id: &str) -> Result<SentCode, LoginError> {
    let phone = Phone::parse(typed_phone, &cx.countries)?;
    let now = cx.clock.now();
    let (resend_after, expires_after) = (cx.rules.resend_interval(), cx.rules.code_lifetime());
    let device = DeviceHash::of(cx, device_id);
    // Without the lock: requests above the limits must not keep the owner waiting, nor use up the connections to the database.
    let mut conn = cx.pool.acquire().await?;
    let device_hash = DeviceHash::if_known(device.as_ref(), &mut conn, &phone).await?;
    check_limits(cx, &mut conn, &phone, device_hash, now).await?;
    drop(conn);
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    lock_phone(cx, &mut tx, &phone).await?;
    let device_hash = DeviceHash::if_known(device.as_ref(), &mut tx, &phone).await?;
    check_limits(cx, &mut tx, &phone, device_hash, now).await?;

    let demo = cx.demo_login.as_ref().filter(|demo| demo.phone == phone);
    let code = match demo {
        Some(demo) => demo.code.expose_secret().to_owned(),
        None => secret::new_code(&mut rand::rng()),
    };
    let challenge = challenges::NewChallenge {
        id: Uuid::new_v4(),
        phone: phone.as_str(),
        device_hash,
        code_hash: &cx.secret.hash(HashPurpose::Code, &code),
        sent_at: now,
        expires_at: now + expires_after,
    };
    challenges::insert(&mut tx, &challenge).await?;
    if demo.is_none() {
        let minutes = expires_after.as_secs() / 60;
        let body = format!("{code} is your Order Ahead code. It expires in {minutes} minutes.");
        messages::insert(
            &mut tx,
            challenge.id,
            phone.as_str(),
            &body,
            now,
            challenge.expires_at,
        )
        .await?;
    }
    tx.commit().await?;
    Ok(SentCode {
        phone,
        resend_after,
        expires_after,
    })
}

/// `device_hash` is empty for unknown devices. The limits per prefix and in total, against SMS pumping, do not apply to
/// known devices, so that an attack cannot prevent consumers from signing in on them.
async fn check_limits(
    cx: &Accounts,
    conn: &mut PgConnection,
    phone: &Phone,
    device_hash: &[u8],
    now: Timestamp,
) -> Result<(), LoginError> {
    let wait_until = |at: Timestamp| LoginError::TooManyCodes {
        retry_after: at.duration_since(now).unsigned_abs(),
    };
    if let Some(last) = challenges::find_last_sent(conn, phone.as_str(), device_hash).await? {
        let next = last + cx.rules.resend_interval();
        if now < next {
            return Err(wait_until(next));
        }
    }
    let sent = challenges::count_sent(conn, phone.as_str(), device_hash, phone.prefix(), now - HOUR).await?;
    if sent.to_device >= cx.rules.sign_in_codes_per_hour {
        let first = sent.first_to_device.map_or(now, jiff_sqlx::Timestamp::to_jiff);
        return Err(wait_until(first + HOUR));
    }
    let is_known_device = !device_hash.is_empty();
    let is_limited = sent.to_prefix >= cx.rules.sign_in_codes_per_prefix_per_hour
        || sent.total >= cx.rules.sign_in_codes_in_total_per_hour;
    if is_limited && !is_known_device {
        let (to_prefix, total) = (sent.to_prefix, sent.total);
        tracing::warn!(to_prefix, total, "limit on sign-in codes reached");
        return Err(LoginError::TooManyCodes { retry_after: HOUR });
    }
    Ok(())
}
