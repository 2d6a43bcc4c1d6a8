//! Trades a code for a session, and registers the consumer when the number is new.

use std::time::Duration;

use jiff::Timestamp;
use kit::{
    ErrorCode, InternalError, ServiceError,
    outbox::{self, OutboxEntry},
};
use proto::{accounts::v1 as pb, events::Event};
use sqlx::{Connection, PgConnection};
use types::{ConsumerId, SessionId};

use crate::{
    Accounts,
    db::{challenges, consumers, sessions},
    domain::{
        phone::{NotAPhone, Phone},
        secret,
    },
    ops::get_profile,
};

const HOUR: Duration = Duration::from_secs(3600);
/// How often a share code is drawn again that is taken already.
const DRAWS: u32 = 5;

/// Why there is no session.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// Not a phone number.
    #[error(transparent)]
    Phone(#[from] NotAPhone),
    /// Not the code, or one that is old, used, or was tried too often. All are answered alike.
    #[error("wrong code")]
    WrongCode,
    /// Too many tries at this account.
    #[error("too many tries")]
    TooMany,
    /// Something broke.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(VerifyError);

impl From<VerifyError> for ServiceError {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Phone(_) => Self::new(
                ErrorCode::RuleViolation,
                "PHONE_INVALID",
                "Please enter a phone number that can receive texts.",
            )
            .with_field("phone"),
            VerifyError::WrongCode => {
                let message = "That code is wrong or no longer good. Please check it, or ask for a new one.";
                Self::new(ErrorCode::RuleViolation, "CODE_INCORRECT", message).with_field("code")
            }
            VerifyError::TooMany => Self::new(
                ErrorCode::RateLimited,
                "TOO_MANY_ATTEMPTS",
                "Too many wrong codes. Please try again in an hour.",
            )
            .with_retry_after(HOUR),
            VerifyError::Internal(fault) => fault.into(),
        }
    }
}

/// Counts the try, compares the code, and begins a session.
///
/// # Errors
/// [`VerifyError`]. The try counts whatever comes of it.
pub async fn verify(
    cx: &Accounts,
    typed: &str,
    code: &str,
    device_id: &str,
) -> Result<pb::VerifyResponse, VerifyError> {
    let phone = Phone::parse(typed)?;
    let now = cx.clock.now();
    let device = cx.secret.hash("device", device_id);
    let mut conn = cx.pool.acquire().await?;
    // A device that signed in before has a count of its own, so that a stranger cannot lock its owner out.
    let known = !device_id.is_empty() && consumers::knows_device(&mut conn, phone.as_str(), &device).await?;
    let counted_as: &[u8] = if known { &device } else { &[] };
    // Counted before anything is compared, and kept whatever comes of it.
    let tries = challenges::count_try(&mut conn, phone.as_str(), counted_as, now, now - HOUR).await?;
    if tries > cx.rules.sign_in_tries_an_hour {
        return Err(VerifyError::TooMany);
    }
    let most = cx.rules.sign_in_tries_a_code;
    let challenge = challenges::try_newest(&mut conn, phone.as_str(), now, most).await?;
    drop(conn);
    let challenge = challenge
        .filter(|challenge| cx.secret.matches("code", code.trim(), &challenge.code_hash))
        .ok_or(VerifyError::WrongCode)?;

    let mut tx = cx.pool.begin().await?;
    if !challenges::use_up(&mut tx, challenge.id, now).await? {
        return Err(VerifyError::WrongCode);
    }
    register(cx, &mut tx, &phone, now).await?;
    let consumer = consumers::find_by_phone(&mut tx, phone.as_str())
        .await?
        .ok_or_else(|| InternalError::broken("a registered consumer is not there"))?;
    let consumer_id = ConsumerId::from_uuid(consumer.id);
    if !device_id.is_empty() {
        consumers::remember_device(&mut tx, consumer_id, &device, now).await?;
    }
    let token = secret::new_token(&mut rand::rng());
    let session = SessionId::new(now);
    let expires_at = now + cx.rules.session();
    sessions::insert(
        &mut tx,
        session,
        consumer_id,
        &secret::token_hash(&token),
        now,
        expires_at,
    )
    .await?;
    tx.commit().await?;
    Ok(pb::VerifyResponse {
        session_token: token,
        session: Some(pb::Session {
            consumer_id: consumer_id.to_string(),
            session_id: session.to_string(),
            expires_at: expires_at.to_string(),
        }),
        needs_name: consumer.first_name.is_empty(),
        profile: Some(get_profile::profile(consumer)),
    })
}

/// Registers the number if it is new, with the fact of it.
async fn register(
    cx: &Accounts,
    tx: &mut PgConnection,
    phone: &Phone,
    now: Timestamp,
) -> Result<(), VerifyError> {
    if consumers::find_by_phone(tx, phone.as_str()).await?.is_some() {
        return Ok(());
    }
    let id = ConsumerId::new(now);
    for _ in 0..DRAWS {
        let share_code = secret::new_share_code(&mut rand::rng());
        // A savepoint: a code that is taken undoes this draw, not what was written before it.
        let mut draw = tx.begin().await?;
        match consumers::register(&mut draw, id, phone.as_str(), &share_code, now).await {
            Ok(false) => return Ok(()),
            Ok(true) => {
                draw.commit().await?;
                let event = pb::ConsumerEvent {
                    consumer_id: id.to_string(),
                    phone_hash: hex::encode(cx.secret.hash("phone", phone.as_str())),
                    change: Some(pb::consumer_event::Change::Registered(pb::ConsumerRegistered {
                        registered_at: now.to_string(),
                    })),
                };
                let entry = OutboxEntry::new(event.event_type(), &event, id.to_string(), 1, now);
                outbox::append(tx, entry).await?;
                return Ok(());
            }
            Err(sqlx::Error::Database(error)) if error.constraint() == Some("consumers_share_code_key") => {
                draw.rollback().await?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(InternalError::broken("no free share code was drawn").into())
}
