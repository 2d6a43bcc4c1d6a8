use serde_json::Value;
use sqlx::PgConnection;

use super::apply_provider_state::apply_provider_state;
use super::complete_bank_setup::complete_bank_setup;
use crate::Payments;
use crate::db::{charges, provider_events};
use crate::provider::signature::{self, SignatureError};
use crate::provider::{ProviderCharge, ProviderError};

#[derive(Debug, thiserror::Error)]
pub enum ReceiveProviderEventError {
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// Correctly signed, but not an event.
    #[error("malformed event")]
    Malformed,
    /// The provider delivers the event again.
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(ReceiveProviderEventError);

const SIGNATURE_HEADER: &str = "stripe-signature";
/// Type of the event that a setup intent has saved its payment method.
const SETUP_SUCCEEDED: &str = "setup_intent.succeeded";

impl From<ReceiveProviderEventError> for kit::ServiceError {
    fn from(error: ReceiveProviderEventError) -> Self {
        let invalid = |reason, message| Self::new(kit::ErrorCode::InvalidRequest, reason, message);
        match error {
            ReceiveProviderEventError::Signature(SignatureError::Stale) => {
                invalid("SIGNATURE_STALE", "The signature is too old.").with_field(SIGNATURE_HEADER)
            }
            ReceiveProviderEventError::Signature(SignatureError::Malformed | SignatureError::Wrong) => {
                invalid("SIGNATURE_INVALID", "The signature is invalid.").with_field(SIGNATURE_HEADER)
            }
            ReceiveProviderEventError::Malformed => {
                invalid("EVENT_MALFORMED", "The payload is not an event.")
            }
            ReceiveProviderEventError::Internal(error) => error.into(),
        }
    }
}

/// Processes a webhook of the provider. The event is only a hint: fetches the object that it names and applies its
/// state, in the transaction that records the event's id. A bank account is imported before that. Repeated events have no further
/// effect.
pub async fn receive_provider_event(
    cx: &Payments,
    payload: &[u8],
    signature: &str,
) -> Result<(), ReceiveProviderEventError> {
    let now = cx.clock.now();
    signature::verify(payload, signature, &cx.webhook_secret, now).inspect_err(|error| {
        tracing::warn!(%error, "webhook rejected");
    })?;
    let event: Value = serde_json::from_slice(payload).map_err(|_| ReceiveProviderEventError::Malformed)?;
    let (Some(event_id), Some(event_type)) = (event["id"].as_str(), event["type"].as_str()) else {
        return Err(ReceiveProviderEventError::Malformed);
    };
    let mut conn = cx.pool.acquire().await?;
    if provider_events::is_recorded(&mut conn, event_id).await? {
        return Ok(());
    }
    drop(conn);

    let object = &event["data"]["object"];
    let is_account_added = match object["id"].as_str() {
        Some(id) if event_type == SETUP_SUCCEEDED => complete_bank_setup(cx, id).await?,
        _ => false,
    };
    let provider_charge = match payment_intent_id(object) {
        Some(id) => fetch_charge(cx, id).await?,
        None => None,
    };
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let is_applied = is_account_added || provider_charge.is_some();
    if !provider_events::record(&mut tx, event_id, event_type, is_applied, now).await? {
        return Ok(());
    }
    match provider_charge {
        Some(provider_charge) => apply_if_ours(cx, &mut tx, &provider_charge).await?,
        None => tracing::debug!(
            event_type,
            is_account_added,
            "webhook kept without an effect on charges"
        ),
    }
    tx.commit().await?;
    cx.wake_effects_worker();
    Ok(())
}

/// Returns the id of the payment intent that an object is or belongs to.
fn payment_intent_id(object: &Value) -> Option<&str> {
    if object["object"] == "payment_intent" {
        object["id"].as_str()
    } else {
        object["payment_intent"].as_str()
    }
}

async fn fetch_charge(
    cx: &Payments,
    payment_intent_id: &str,
) -> Result<Option<ProviderCharge>, ReceiveProviderEventError> {
    match cx.provider.fetch_charge(payment_intent_id).await {
        Ok(provider_charge) => Ok(Some(provider_charge)),
        // The object does not exist, so a redelivery of the event would fail as well.
        Err(ProviderError::Rejected { code, .. }) => {
            tracing::warn!(code, "webhook names an unknown object");
            Ok(None)
        }
        Err(error) => Err(kit::InternalError::from(error).into()),
    }
}

/// Applies the state if the charge is in this database. Other systems may use the same provider account.
async fn apply_if_ours(
    cx: &Payments,
    conn: &mut PgConnection,
    provider_charge: &ProviderCharge,
) -> Result<(), ReceiveProviderEventError> {
    let Some(charge_id) = provider_charge.charge_id else {
        return Ok(());
    };
    if charges::find(conn, charge_id).await?.is_some() {
        apply_provider_state(cx, conn, charge_id, provider_charge, cx.clock.now()).await?;
    } else {
        tracing::debug!(%charge_id, "webhook names a charge of another system");
    }
    Ok(())
}
