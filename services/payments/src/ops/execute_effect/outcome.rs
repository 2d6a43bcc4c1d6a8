//! Stores the result of an attempt: done, due again, or failed.

use kit::backoff::Backoff;
use kit::metrics::Counter;
use sqlx::PgConnection;

use super::Attempt;
use crate::Payments;
use crate::db::charges;
use crate::db::effects::{self, ClaimedEffect};
use crate::domain::charge::{Charge, ChargeEffect, ChargeEvent, TargetState};
use crate::domain::effect::{AttemptError, Effect, HOLD_ENDED, NextAttempt};
use crate::ops::publish;
use crate::ops::save_charge::save_charge;
use crate::provider::{ProviderError, RESOURCE_MISSING};

/// Counts failures, because a failed capture is done again when its hold is voided, usually within seconds.
static CAPTURES_FAILED: Counter = Counter::new(
    "payments.captures.failed",
    "Captures that can never succeed by reason",
);
const REJECTED: &str = "rejected";

/// Exports the counter of failed captures with zero.
pub(crate) fn export_captures_failed() {
    CAPTURES_FAILED.export("reason", &[REJECTED, HOLD_ENDED]);
}

/// Stores the result of an attempt. If the money of an order can no longer be captured, also releases the charge and publishes
/// `CaptureFailed`, in the same transaction.
pub async fn store_result(
    cx: &Payments,
    claimed: &ClaimedEffect,
    attempt: Attempt,
) -> Result<(), kit::InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let failed_capture = match attempt {
        Ok(()) => {
            effects::mark_done(&mut tx, claimed.effect, cx.clock.now()).await?;
            None
        }
        Err(error) => store_error(cx, &mut tx, claimed, &error).await?,
    };
    tx.commit().await?;
    if let Some(reason) = failed_capture {
        CAPTURES_FAILED.add(1, &[("reason", reason)]);
    }
    Ok(())
}

/// Returns the reason for the metric if a capture has failed for good.
async fn store_error(
    cx: &Payments,
    conn: &mut PgConnection,
    claimed: &ClaimedEffect,
    error: &ProviderError,
) -> Result<Option<&'static str>, kit::InternalError> {
    let (effect, attempts, now) = (claimed.effect, claimed.attempts, cx.clock.now());
    let charge = match effect {
        Effect::Charge(id, charge_effect) => {
            let charge = charges::lock(conn, id).await?;
            let Some(charge) = charge.filter(|charge| charge.next_effect() == Some(charge_effect)) else {
                // The charge changed during the attempt.
                effects::mark_done(conn, effect, now).await?;
                return Ok(None);
            };
            Some((charge, charge_effect))
        }
        Effect::RefundPart(_) | Effect::Detach(_) => None,
    };
    let retry_until = charge
        .as_ref()
        .and_then(|(charge, charge_effect)| charge.retry_until(*charge_effect));
    let backoff = Backoff::new(cx.effects.backoff, cx.effects.max_backoff);
    let delay = backoff.delay_after(u32::try_from(attempts).unwrap_or_default());
    match AttemptError::from(error).next_attempt(now, delay, retry_until) {
        NextAttempt::At { due_at, with_new_key } => {
            tracing::warn!(%effect, attempts, %error, %due_at, "effect not executed; will retry");
            let delay = due_at.duration_since(now).unsigned_abs();
            effects::reschedule(conn, effect, delay, with_new_key, &error.to_string()).await?;
            Ok(None)
        }
        NextAttempt::Never { code } => {
            tracing::error!(%effect, attempts, code, %error, "effect failed");
            let mut failed_capture = None;
            if let Some((mut charge, ChargeEffect::Capture)) = charge {
                release_uncaptured(cx, conn, &mut charge).await?;
                failed_capture = Some(if code == HOLD_ENDED { HOLD_ENDED } else { REJECTED });
            }
            // After the release, so that the capture stays failed until the hold has ended.
            effects::mark_failed(conn, effect, &code, &error.to_string(), now).await?;
            Ok(failed_capture)
        }
    }
}

/// Releases a charge that cannot be captured, and publishes `CaptureFailed`. Its order is canceled, or the store collects the money:
/// without the release, the amount would stay held until the bank releases it.
async fn release_uncaptured(
    cx: &Payments,
    conn: &mut PgConnection,
    charge: &mut Charge,
) -> Result<(), kit::InternalError> {
    let now = cx.clock.now();
    charge.raise_target_state(TargetState::Released);
    save_charge(conn, charge, now).await?;
    Ok(publish::charge_event(conn, charge, ChargeEvent::CaptureFailed, now).await?)
}

impl From<&ProviderError> for AttemptError {
    fn from(error: &ProviderError) -> Self {
        match error {
            // The provider never deletes charges, so the configured keys must belong to another account.
            ProviderError::Rejected { code, .. } if code == RESOURCE_MISSING => {
                Self::Transient { needs_new_key: true }
            }
            ProviderError::Rejected { code, .. } => Self::Permanent { code: code.clone() },
            ProviderError::RejectedForNow { .. } | ProviderError::KeyReused => {
                Self::Transient { needs_new_key: true }
            }
            ProviderError::OutcomeUnknown { is_server_error, .. } => Self::Transient {
                needs_new_key: *is_server_error,
            },
        }
    }
}
