use std::time::Duration;

use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError, idempotency};
use ledger::PostError;
use sqlx::PgConnection;
use types::{
    CounterPaymentId, Money,
    limits::{MAX_PURCHASE_CENTS, is_idempotency_key},
};

use super::publish_balance_changed::publish_balance_changed;
use crate::{
    GiftCards, convert,
    db::{
        accounts::{self, balance_id},
        counter,
        postings::post_counter_payment,
    },
    domain::counter::{CounterPayment, RedeemCounterPin},
};

const MINUTE_SECONDS: i64 = 60;

#[derive(Debug, thiserror::Error)]
pub enum RedeemCounterPinError {
    /// The PIN is wrong, expired, used, or of another store.
    #[error("PIN is not valid")]
    PinNotValid,
    #[error("too many wrong PINs")]
    TooManyAttempts { retry_after: Duration },
    #[error("insufficient balance: {available} available")]
    InsufficientBalance { available: Money },
    #[error("amount invalid")]
    AmountInvalid,
    #[error("idempotency key invalid")]
    KeyInvalid,
    #[error("idempotency key reused")]
    KeyReused,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(RedeemCounterPinError);

impl From<RedeemCounterPinError> for ServiceError {
    fn from(error: RedeemCounterPinError) -> Self {
        use RedeemCounterPinError as Error;
        match error {
            Error::PinNotValid => Self::new(
                ErrorCode::RuleViolation,
                "PIN_NOT_VALID",
                "That PIN isn't valid. Ask for a new one.",
            )
            .with_field("pin"),
            Error::TooManyAttempts { retry_after } => Self::new(
                ErrorCode::RateLimited,
                "TOO_MANY_ATTEMPTS",
                "Too many wrong PINs. Please wait a minute and try again.",
            )
            .with_retry_after(retry_after),
            Error::InsufficientBalance { available } => convert::counter_balance_insufficient(available),
            Error::AmountInvalid => Self::new(
                ErrorCode::RuleViolation,
                "AMOUNT_INVALID",
                format!("Enter an amount up to {}.", Money::usd(MAX_PURCHASE_CENTS)),
            )
            .with_field("amount"),
            Error::KeyInvalid => Self::new(
                ErrorCode::InvalidRequest,
                "IDEMPOTENCY_KEY_INVALID",
                "The idempotency key is invalid.",
            )
            .with_field("idempotencyKey"),
            Error::KeyReused => Self::new(
                ErrorCode::Conflict,
                "IDEMPOTENCY_KEY_REUSED",
                "This terminal just sent a different payment. Check the last payment, then start again.",
            ),
            Error::Internal(error) => error.into(),
        }
    }
}

/// Pays an amount from JoePass with a consumer's PIN. A PIN is used once. Idempotent per store and key.
///
/// An attempt is counted before the PIN is compared, and taken back if the PIN was right.
///
/// # Errors
/// [`RedeemCounterPinError`]. The PIN stays valid if the balance is insufficient.
pub async fn redeem_counter_pin(
    cx: &GiftCards,
    command: RedeemCounterPin,
) -> Result<CounterPayment, RedeemCounterPinError> {
    if !is_idempotency_key(&command.idempotency_key) {
        return Err(RedeemCounterPinError::KeyInvalid);
    }
    if !(1..=MAX_PURCHASE_CENTS).contains(&command.amount.minor_units()) {
        return Err(RedeemCounterPinError::AmountInvalid);
    }
    let now = cx.clock.now();
    let pin_hash = cx.secret.counter_pin_hash(command.store_id, &command.pin);
    let amount = command.amount.minor_units().to_be_bytes();
    let request_hash = idempotency::hash(&[pin_hash.as_slice(), &amount].concat());
    if let Some(payment) = find_existing(cx, &command, &request_hash).await? {
        return Ok(payment);
    }
    let attempt = Attempt::count(cx, &command, now).await?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let payment = pay(&mut tx, &command, &pin_hash, &request_hash, now).await;
    let payment = match payment {
        Err(RedeemCounterPinError::PinNotValid) => {
            drop(tx);
            // A concurrent request with the same key may have used the PIN.
            let existing = find_existing(cx, &command, &request_hash).await?;
            if existing.is_some() {
                let mut conn = cx.pool.acquire().await?;
                attempt.take_back(&mut conn).await?;
            }
            return existing.ok_or(RedeemCounterPinError::PinNotValid);
        }
        Err(error @ RedeemCounterPinError::InsufficientBalance { .. }) => {
            tx.rollback().await?;
            let mut conn = cx.pool.acquire().await?;
            attempt.take_back(&mut conn).await?;
            return Err(error);
        }
        other => other?,
    };
    attempt.take_back(&mut tx).await?;
    tx.commit().await?;
    tracing::info!(counter_payment_id = %payment.id, store_id = %payment.store_id, "paid at the counter");
    Ok(payment)
}

async fn find_existing(
    cx: &GiftCards,
    command: &RedeemCounterPin,
    request_hash: &[u8],
) -> Result<Option<CounterPayment>, RedeemCounterPinError> {
    let mut conn = cx.pool.acquire().await?;
    match counter::find_payment(&mut conn, command.store_id, &command.idempotency_key).await? {
        Some((_, hash)) if hash != request_hash => Err(RedeemCounterPinError::KeyReused),
        Some((payment, _)) => Ok(Some(payment)),
        None => Ok(None),
    }
}

async fn pay(
    conn: &mut PgConnection,
    command: &RedeemCounterPin,
    pin_hash: &[u8],
    request_hash: &[u8],
    now: Timestamp,
) -> Result<CounterPayment, RedeemCounterPinError> {
    let (consumer_id, store_name) = counter::take_pin(conn, command.store_id, pin_hash, now)
        .await?
        .ok_or(RedeemCounterPinError::PinNotValid)?;
    let payment = CounterPayment {
        id: CounterPaymentId::new(now),
        store_id: command.store_id,
        store_name,
        credential_id: command.credential_id,
        amount: command.amount,
        paid_at: now,
    };
    if !counter::insert_payment(conn, &payment, &command.idempotency_key, request_hash).await? {
        return Err(RedeemCounterPinError::KeyReused);
    }
    let account = accounts::find_joepass(conn, consumer_id)
        .await?
        .ok_or(RedeemCounterPinError::PinNotValid)?;
    let balance_id = balance_id(account);
    let posted = post_counter_payment(
        conn,
        payment.id,
        balance_id,
        payment.amount,
        &payment.store_name,
        now,
    )
    .await
    .map_err(post_error)?;
    if let Some(after) = posted.from {
        publish_balance_changed(conn, consumer_id, balance_id, after, now).await?;
    }
    Ok(payment)
}

fn post_error(error: PostError) -> RedeemCounterPinError {
    match error {
        PostError::InsufficientBalance { available } => RedeemCounterPinError::InsufficientBalance {
            available: Money::usd(available),
        },
        other => InternalError::from(other).into(),
    }
}

/// An attempt that counts as wrong until the PIN is verified.
struct Attempt {
    scopes: Vec<String>,
    minute: Timestamp,
}

impl Attempt {
    /// Commits at once, so that concurrent attempts cannot exceed the limit.
    async fn count(
        cx: &GiftCards,
        command: &RedeemCounterPin,
        now: Timestamp,
    ) -> Result<Self, RedeemCounterPinError> {
        let second = now.as_second();
        let minute = Timestamp::from_second(second - second.rem_euclid(MINUTE_SECONDS)).unwrap_or(now);
        let limits = [
            (
                format!("terminal:{}", command.credential_id),
                cx.rules.counter_wrong_pins_per_terminal,
            ),
            (
                format!("store:{}", command.store_id),
                cx.rules.counter_wrong_pins_per_store,
            ),
        ];
        let mut conn = cx.pool.acquire().await?;
        let mut attempt = Self {
            scopes: Vec::with_capacity(limits.len()),
            minute,
        };
        for (scope, max) in limits {
            if !counter::count_attempt(&mut conn, &scope, minute, max).await? {
                attempt.take_back(&mut conn).await?;
                tracing::warn!(store_id = %command.store_id, "limit of wrong PINs reached");
                let seconds = MINUTE_SECONDS - second.rem_euclid(MINUTE_SECONDS);
                return Err(RedeemCounterPinError::TooManyAttempts {
                    retry_after: Duration::from_secs(seconds.unsigned_abs()),
                });
            }
            attempt.scopes.push(scope);
        }
        Ok(attempt)
    }

    async fn take_back(&self, conn: &mut PgConnection) -> Result<(), InternalError> {
        Ok(counter::uncount_attempts(conn, &self.scopes, self.minute).await?)
    }
}
