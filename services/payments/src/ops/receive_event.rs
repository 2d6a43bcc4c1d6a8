//! A webhook of the provider: a hint that something changed. Nothing in it is believed; the object is fetched.

use serde_json::Value;

use super::observe::observe;
use crate::Payments;
use crate::db::{charges, provider_events};
use crate::provider::signature::{self, SignatureError};
use crate::provider::{ProviderError, Snapshot};

/// Why a webhook is not taken in.
#[derive(Debug, thiserror::Error)]
pub enum ReceiveError {
    /// Not the provider's, or not of now.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// Signed, and no event.
    #[error("not an event")]
    Malformed,
    /// Nobody's refusal; the provider sends it again.
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(ReceiveError);

impl From<ReceiveError> for kit::ServiceError {
    fn from(error: ReceiveError) -> Self {
        let refuse = |reason, message| Self::new(kit::ErrorCode::InvalidRequest, reason, message);
        match error {
            ReceiveError::Signature(SignatureError::Stale) => {
                refuse("SIGNATURE_STALE", "The signature is too old.")
            }
            ReceiveError::Signature(_) => refuse("SIGNATURE_INVALID", "The signature is not right."),
            ReceiveError::Malformed => refuse("EVENT_MALFORMED", "This is not an event."),
            ReceiveError::Internal(fault) => fault.into(),
        }
    }
}

/// Takes in an event once: what it points at is fetched and observed, in the transaction that records its id.
///
/// # Errors
/// [`ReceiveError`].
pub async fn receive_event(cx: &Payments, payload: &[u8], signature: &str) -> Result<(), ReceiveError> {
    let now = cx.clock.now();
    signature::check(payload, signature, &cx.webhook_secret, now).inspect_err(|error| {
        tracing::warn!(%error, "webhook refused");
    })?;
    let event: Value = serde_json::from_slice(payload).map_err(|_| ReceiveError::Malformed)?;
    let (Some(id), Some(kind)) = (event["id"].as_str(), event["type"].as_str()) else {
        return Err(ReceiveError::Malformed);
    };
    let mut conn = cx.pool.acquire().await?;
    if provider_events::seen(&mut conn, id).await? {
        return Ok(());
    }
    drop(conn);

    let snapshot = match intent_of(&event["data"]["object"]) {
        Some(intent) => fetch(cx, intent).await?,
        None => None,
    };
    let mut tx = cx.pool.begin().await?;
    if !provider_events::record(&mut tx, id, kind, now).await? {
        return Ok(());
    }
    if let Some(snapshot) = snapshot {
        take_in(cx, &mut tx, &snapshot).await?;
    }
    tx.commit().await?;
    cx.effects_planned();
    Ok(())
}

/// The payment intent that an object is, or belongs to: charges, refunds and disputes name theirs.
fn intent_of(object: &Value) -> Option<&str> {
    if object["object"] == "payment_intent" {
        object["id"].as_str()
    } else {
        object["payment_intent"].as_str()
    }
}

async fn fetch(cx: &Payments, intent: &str) -> Result<Option<Snapshot>, ReceiveError> {
    match cx.provider.fetch(intent).await {
        Ok(snapshot) => Ok(Some(snapshot)),
        // Signed, and of an object that is not there: nothing that another delivery would change.
        Err(ProviderError::Refused { code, .. }) => {
            tracing::warn!(code, "webhook of an object that the provider does not know");
            Ok(None)
        }
        Err(error) => Err(kit::InternalError::from(error).into()),
    }
}

async fn take_in(
    cx: &Payments,
    tx: &mut sqlx::PgConnection,
    snapshot: &Snapshot,
) -> Result<(), ReceiveError> {
    // Objects that other systems made under the same account carry no note of ours, or one of another database.
    let Some(id) = snapshot.charge else { return Ok(()) };
    if charges::lock(tx, id).await? {
        observe(tx, id, snapshot, cx.clock.now()).await?;
    } else {
        tracing::debug!(charge_id = %id, "webhook of a charge that is not ours");
    }
    Ok(())
}
