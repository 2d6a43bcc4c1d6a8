use super::apply_provider_state::apply_provider_state;
use crate::Payments;
use crate::db::charges;
use crate::domain::charge::{Charge, ChargeSnapshot};
use crate::domain::subject::ChargeSubject;
use crate::provider::{AuthorizationRequest, ProviderCharge};

#[derive(Debug, thiserror::Error)]
pub enum RefreshChargeError {
    #[error("charge not found")]
    NotFound,
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(RefreshChargeError);

impl From<RefreshChargeError> for kit::ServiceError {
    fn from(error: RefreshChargeError) -> Self {
        match error {
            RefreshChargeError::NotFound => Self::new(
                kit::ErrorCode::NotFound,
                "CHARGE_UNKNOWN",
                "We couldn't find this payment.",
            ),
            RefreshChargeError::Internal(error) => error.into(),
        }
    }
}

/// Fetches the state of a charge from the provider and applies it.
pub async fn refresh_charge(
    cx: &Payments,
    subject: ChargeSubject,
) -> Result<ChargeSnapshot, RefreshChargeError> {
    let mut conn = cx.pool.acquire().await?;
    let charge = charges::find_by_subject(&mut conn, subject)
        .await?
        .ok_or(RefreshChargeError::NotFound)?;
    drop(conn);
    Ok(refresh(cx, charge).await?)
}

/// Fetches the state of a charge from the provider and applies it.
pub async fn refresh(cx: &Payments, charge: Charge) -> Result<ChargeSnapshot, kit::InternalError> {
    let Some(provider_charge) = fetch(cx, &charge).await? else {
        return Ok(ChargeSnapshot {
            charge,
            client_secret: None,
        });
    };
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let charge = apply_provider_state(cx, &mut tx, charge.id, &provider_charge, cx.clock.now()).await?;
    tx.commit().await?;
    cx.wake_effects_worker();
    Ok(ChargeSnapshot {
        charge,
        client_secret: provider_charge.client_secret,
    })
}

async fn fetch(cx: &Payments, charge: &Charge) -> Result<Option<ProviderCharge>, kit::InternalError> {
    match (&charge.provider_id, &charge.terms) {
        (Some(provider_id), _) => Ok(Some(cx.provider.fetch_charge(provider_id).await?)),
        (None, Some(terms)) => {
            let authorization = AuthorizationRequest {
                charge_id: charge.id,
                subject: charge.subject,
                terms: terms.clone(),
            };
            Ok(cx.provider.find_charge(&authorization).await?)
        }
        (None, None) => Ok(None),
    }
}
