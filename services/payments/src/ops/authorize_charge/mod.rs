//! Authorizes an amount. Idempotent by subject, which has one charge.

mod attempt;
pub mod begin;
mod error;

use std::time::Duration;

use kit::grpc::deadline;
use tokio::time::Instant;
use types::ChargeId;

use super::refresh_charge;
use crate::Payments;
use crate::db::charges;
use crate::domain::charge::{AuthorizeCharge, Charge, ChargeSnapshot, ChargeState};

pub use error::AuthorizeChargeError;

/// Interval for polling a charge while another task authorizes it.
const POLL_INTERVAL: Duration = Duration::from_millis(60);

/// Authorizes an amount, or returns the outcome of the existing authorization. With [`Capture::Now`] it also
/// captures the amount. A decline is a successful result.
///
/// Commits the charge's row before it calls the provider, so that a crash leaves a row to recover. If calls are
/// concurrent, one calls the provider and the others wait for its result.
///
/// # Errors
/// [`AuthorizeChargeError::OutcomeUnknown`] if the outcome is unknown at the deadline.
pub async fn authorize_charge(
    cx: &Payments,
    command: AuthorizeCharge,
) -> Result<ChargeSnapshot, AuthorizeChargeError> {
    let charge = begin::begin(cx, command).await?;
    kit::fault_point::reach("charge.inserted");
    complete(cx, charge).await
}

/// Authorizes a stored charge, unless it has an outcome. If calls are concurrent, one calls the provider and the others wait
/// for its result.
///
/// # Errors
/// [`AuthorizeChargeError::OutcomeUnknown`] if the outcome is unknown at the deadline, [`AuthorizeChargeError::ServerError`] if it
/// is unknown after a server error.
pub async fn complete(cx: &Payments, mut charge: Charge) -> Result<ChargeSnapshot, AuthorizeChargeError> {
    let deadline = Instant::now()
        + deadline::time_remaining().map_or(cx.authorize_timeout, |left| left.min(cx.authorize_timeout));
    while charge.state == ChargeState::Pending && !charge.is_released() {
        let mut conn = cx.pool.acquire().await?;
        let lease = charges::lease_attempt(&mut conn, charge.id, cx.attempt_lease).await?;
        drop(conn);
        if let Some(previous_attempts) = lease {
            let snapshot = attempt::spawn_attempt(cx, charge, previous_attempts, deadline).await?;
            return outcome(cx, snapshot).await;
        }
        if Instant::now() > deadline {
            return Err(AuthorizeChargeError::OutcomeUnknown);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
        charge = read_charge(cx, charge.id).await?;
    }
    outcome(
        cx,
        ChargeSnapshot {
            charge,
            client_secret: None,
        },
    )
    .await
}

async fn outcome(cx: &Payments, snapshot: ChargeSnapshot) -> Result<ChargeSnapshot, AuthorizeChargeError> {
    if snapshot.charge.is_released() {
        return Err(AuthorizeChargeError::Closed);
    }
    match snapshot.charge.state {
        ChargeState::Pending => Err(AuthorizeChargeError::OutcomeUnknown),
        // The secret is not stored, so it is fetched from the provider.
        ChargeState::RequiresAction if snapshot.client_secret.is_none() => {
            Ok(refresh_charge::refresh(cx, snapshot.charge).await?)
        }
        _ => Ok(snapshot),
    }
}

async fn read_charge(cx: &Payments, id: ChargeId) -> Result<Charge, AuthorizeChargeError> {
    let mut conn = cx.pool.acquire().await?;
    let charge = charges::find(&mut conn, id).await?;
    Ok(charge.ok_or_else(|| kit::InternalError::invariant_violated(format!("charge {id} not found")))?)
}
