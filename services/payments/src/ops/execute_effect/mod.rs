mod outcome;
mod refund_part;

use types::{ChargeId, Money, PaymentMethodId};

pub(crate) use self::outcome::export_captures_failed;
use self::outcome::store_result;
use super::apply_provider_state::apply_provider_state;
use super::void_unknown_charge::void_unknown_charge;
use crate::Payments;
use crate::db::effects::ClaimedEffect;
use crate::db::{charges, payment_methods, refunds};
use crate::domain::charge::{Charge, ChargeEffect, ChargeState};
use crate::domain::effect::Effect;
use crate::domain::refund::RELEASE;
use crate::domain::subject::ChargeSubject;
use crate::provider::{ProviderCharge, ProviderError, RefundRequest};

/// Result of an attempt: done, or the provider error that decides about a retry.
type Attempt = Result<(), ProviderError>;

/// Executes a claimed effect once. Then marks it as done, reschedules it with a growing delay after a transient error, or
/// marks it as failed if it can never succeed.
///
/// # Errors
/// A database error. The effect is due again when its lease expires.
pub async fn execute_effect(cx: &Payments, claimed: ClaimedEffect) -> Result<(), kit::InternalError> {
    let attempt = match claimed.effect {
        Effect::Charge(id, effect) => execute_on_charge(cx, &claimed, id, effect).await?,
        Effect::RefundPart(id) => refund_part::refund_part(cx, &claimed, id).await?,
        Effect::Detach(id) => detach(cx, id, &claimed.idempotency_key()).await?,
    };
    store_result(cx, &claimed, attempt).await
}

const fn is_server_error(error: &ProviderError) -> bool {
    matches!(
        error,
        ProviderError::OutcomeUnknown {
            is_server_error: true,
            ..
        }
    )
}

/// Adds what the charge pays for to the span of the attempt.
fn record_subject(subject: ChargeSubject) {
    let span = tracing::Span::current();
    span.record("subject", tracing::field::display(subject));
    if let ChargeSubject::Order(order_id) = subject {
        span.record("order_id", tracing::field::display(order_id));
    }
}

async fn detach(cx: &Payments, id: PaymentMethodId, key: &str) -> Result<Attempt, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let provider_id = payment_methods::provider_id(&mut conn, id).await?;
    drop(conn);
    match provider_id {
        Some(provider_id) => Ok(cx.provider.detach_payment_method(&provider_id, key).await),
        None => Ok(Ok(())),
    }
}

async fn execute_on_charge(
    cx: &Payments,
    claimed: &ClaimedEffect,
    id: ChargeId,
    effect: ChargeEffect,
) -> Result<Attempt, kit::InternalError> {
    let charge = read_charge(cx, id).await?;
    record_subject(charge.subject);
    if charge.next_effect() != Some(effect) {
        return Ok(Ok(()));
    }
    match call_provider(cx, &charge, effect, &claimed.idempotency_key()).await? {
        Ok(provider_charge) => {
            kit::fault_point::reach("effect.executed");
            let charge = apply(cx, id, &provider_charge).await?;
            if provider_charge.provider_id.is_none() && charge.provider_id.is_some() {
                return Ok(Err(object_found_meanwhile()));
            }
            Ok(Ok(()))
        }
        // The state at the provider may differ from ours.
        Err(error) if matches!(error, ProviderError::Rejected { .. }) || is_server_error(&error) => {
            fetch_after_error(cx, &charge, effect, error).await
        }
        Err(error) => Ok(Err(error)),
    }
}

/// Fetches and applies the provider's state after an error. The attempt succeeded if the effect is no longer due.
async fn fetch_after_error(
    cx: &Payments,
    charge: &Charge,
    effect: ChargeEffect,
    error: ProviderError,
) -> Result<Attempt, kit::InternalError> {
    let Some(provider_id) = &charge.provider_id else {
        return Ok(Err(error));
    };
    // Without the provider's state, the rejection is not final: a previous attempt may have succeeded.
    let provider_charge = match cx.provider.fetch_charge(provider_id).await {
        Ok(provider_charge) => provider_charge,
        Err(fetch_error) => {
            return Ok(Err(ProviderError::OutcomeUnknown {
                cause: format!("{error}; state not fetched: {fetch_error}"),
                is_server_error: true,
            }));
        }
    };
    let charge = apply(cx, charge.id, &provider_charge).await?;
    let is_voided = effect == ChargeEffect::Void && provider_charge.state == ChargeState::Voided;
    let is_due = charge.next_effect() == Some(effect) && !is_voided;
    Ok(if is_due { Err(error) } else { Ok(()) })
}

async fn apply(
    cx: &Payments,
    id: ChargeId,
    provider_charge: &ProviderCharge,
) -> Result<Charge, kit::InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let charge = apply_provider_state(cx, &mut tx, id, provider_charge, cx.clock.now()).await?;
    tx.commit().await?;
    Ok(charge)
}

async fn read_charge(cx: &Payments, id: ChargeId) -> Result<Charge, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    charges::find(&mut conn, id)
        .await?
        .ok_or_else(|| kit::InternalError::invariant_violated(format!("charge {id} not found")))
}

async fn call_provider(
    cx: &Payments,
    charge: &Charge,
    effect: ChargeEffect,
    key: &str,
) -> Result<Result<ProviderCharge, ProviderError>, kit::InternalError> {
    let provider = cx.provider.as_ref();
    Ok(match (effect, &charge.provider_id) {
        (ChargeEffect::Capture, Some(id)) => provider.capture(id, key).await,
        (ChargeEffect::Refund, Some(id)) => {
            let amount = amount_to_release(cx, charge.id).await?;
            if !amount.is_positive() {
                return Ok(Err(waits_for_parts()));
            }
            let refund = RefundRequest {
                amount,
                request_id: RELEASE,
            };
            provider.refund(id, refund, key).await
        }
        (ChargeEffect::Void, Some(id)) => provider.cancel(id, key).await,
        (ChargeEffect::Void, None) => void_unknown_charge(provider, charge, key).await,
        (ChargeEffect::Capture | ChargeEffect::Refund, None) => Err(ProviderError::Rejected {
            code: "charge has no provider id".to_owned(),
            missing_object: None,
        }),
    })
}

/// Returns the part of a charge that has no refund yet. Refunds of parts can end during this attempt.
async fn amount_to_release(cx: &Payments, id: ChargeId) -> Result<Money, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let amount = refunds::releasable(&mut conn, id).await?;
    Ok(amount.unwrap_or(Money::ZERO))
}

/// A webhook reported the object while the void found none. The next attempt cancels it.
fn object_found_meanwhile() -> ProviderError {
    ProviderError::OutcomeUnknown {
        cause: "the object was found during the attempt".to_owned(),
        is_server_error: false,
    }
}

/// The whole charge is being refunded in parts. The next attempt finds whether they succeeded.
fn waits_for_parts() -> ProviderError {
    ProviderError::OutcomeUnknown {
        cause: "refunds of parts have not ended".to_owned(),
        is_server_error: false,
    }
}
