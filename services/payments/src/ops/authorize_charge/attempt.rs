//! Second step: authorizes the charge at the provider and stores the outcome.

use sqlx::PgConnection;
use tokio::time::Instant;

use super::AuthorizeChargeError;
use crate::Payments;
use crate::db::charges;
use crate::domain::charge::{Charge, ChargeSnapshot, ChargeState};
use crate::domain::decline::{Decline, DeclineReason};
use crate::ops::apply_provider_state::apply_provider_state;
use crate::ops::customer;
use crate::provider::{AuthorizationRequest, MissingObject, ProviderCharge, ProviderError};

/// Runs an attempt on a tracked task, so that it continues if the call is canceled or its deadline passes. Waits for
/// the outcome until the deadline.
pub async fn spawn_attempt(
    cx: &Payments,
    charge: Charge,
    previous_attempts: i32,
    deadline: Instant,
) -> Result<ChargeSnapshot, AuthorizeChargeError> {
    let task_cx = cx.clone();
    let task = cx
        .process
        .spawn(async move { attempt(&task_cx, charge, previous_attempts).await });
    match tokio::time::timeout_at(deadline, task).await {
        Ok(Ok(result)) => result,
        Ok(Err(error)) => {
            Err(kit::InternalError::invariant_violated(format!("authorization task failed: {error}")).into())
        }
        Err(_) => Err(AuthorizeChargeError::OutcomeUnknown),
    }
}

async fn attempt(
    cx: &Payments,
    charge: Charge,
    previous_attempts: i32,
) -> Result<ChargeSnapshot, AuthorizeChargeError> {
    let result = authorize_at_provider(cx, &charge, previous_attempts).await;
    let missing_object = result.as_ref().err().and_then(ProviderError::missing_object);
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let outcome = match result {
        Ok(provider_charge) => {
            kit::fault_point::reach("charge.authorized_at_provider");
            let charge =
                apply_provider_state(cx, &mut tx, charge.id, &provider_charge, cx.clock.now()).await?;
            Ok(ChargeSnapshot {
                charge,
                client_secret: provider_charge.client_secret,
            })
        }
        Err(ProviderError::Rejected {
            missing_object: Some(missing),
            ..
        }) => Ok(decline_missing_method(cx, &mut tx, &charge, missing).await?),
        // A concurrent close used the idempotency key first.
        Err(ProviderError::KeyReused) => Err(AuthorizeChargeError::Closed),
        Err(
            error @ ProviderError::OutcomeUnknown {
                is_server_error: true,
                ..
            },
        ) => {
            tracing::warn!(charge_id = %charge.id, %error, "outcome of an authorization is unknown");
            Err(AuthorizeChargeError::ServerError)
        }
        Err(error) => Err(kit::InternalError::from(error).into()),
    };
    charges::end_attempt_lease(&mut tx, charge.id).await?;
    tx.commit().await?;
    cx.wake_effects_worker();
    if missing_object == Some(MissingObject::Customer) {
        replace_customer_of_declined_charge(cx, &charge).await;
    }
    outcome
}

async fn authorize_at_provider(
    cx: &Payments,
    charge: &Charge,
    previous_attempts: i32,
) -> Result<ProviderCharge, ProviderError> {
    let Some(terms) = charge.terms.clone() else {
        return Err(ProviderError::KeyReused);
    };
    let authorization = AuthorizationRequest {
        charge_id: charge.id,
        subject: charge.subject,
        terms,
    };
    // A previous attempt with an unknown outcome may have created the object.
    if previous_attempts > 0
        && let Some(provider_charge) = cx.provider.find_charge(&authorization).await?
    {
        return Ok(provider_charge);
    }
    cx.provider.authorize(&authorization).await
}

/// Replaces the customer of a declined charge. If that fails, the next charge tries again.
async fn replace_customer_of_declined_charge(cx: &Payments, charge: &Charge) {
    let Some(terms) = &charge.terms else { return };
    let Some(consumer_id) = terms.consumer_id else {
        return;
    };
    let missing_id = &terms.provider_customer_id;
    if let Err(error) = customer::replace_missing_customer(cx, consumer_id, missing_id).await {
        tracing::warn!(%consumer_id, %error, "missing provider customer not replaced");
    }
}

/// Declines a charge if its customer or payment method no longer exists at the provider, and detaches the method.
async fn decline_missing_method(
    cx: &Payments,
    conn: &mut PgConnection,
    charge: &Charge,
    missing: MissingObject,
) -> Result<ChargeSnapshot, kit::InternalError> {
    let now = cx.clock.now();
    if let Some(terms) = &charge.terms {
        tracing::warn!(charge_id = %charge.id, ?missing, "payment method missing at the provider");
        if let Some((consumer_id, method_id)) = terms.consumer_id.zip(terms.payment_method_id) {
            customer::detach_missing_methods(
                conn,
                consumer_id,
                &terms.provider_customer_id,
                method_id,
                missing,
                now,
            )
            .await?;
        }
    }
    let declined = ChargeState::Declined(Decline::new(DeclineReason::MethodUnknown));
    let declined = ProviderCharge::without_object(declined);
    Ok(ChargeSnapshot {
        charge: apply_provider_state(cx, conn, charge.id, &declined, now).await?,
        client_secret: None,
    })
}
