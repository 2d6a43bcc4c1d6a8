use crate::domain::charge::{Charge, ChargeState};
use crate::provider::{AuthorizationRequest, PaymentProvider, ProviderCharge, ProviderError};

/// Voids a charge without a known provider id. Its authorization may have succeeded, may still arrive, or was never
/// sent. `key` is the void's idempotency key.
pub async fn void_unknown_charge(
    provider: &dyn PaymentProvider,
    charge: &Charge,
    key: &str,
) -> Result<ProviderCharge, ProviderError> {
    let Some(terms) = charge.terms.clone() else {
        return Ok(voided_without_object());
    };
    let authorization = AuthorizationRequest {
        charge_id: charge.id,
        subject: charge.subject,
        terms,
    };
    let provider_charge = find_or_create_unconfirmed(provider, &authorization, key).await?;
    match (&provider_charge.provider_id, &provider_charge.state) {
        (
            Some(id),
            ChargeState::Pending
            | ChargeState::RequiresAction
            | ChargeState::Authorized
            | ChargeState::Declined(_),
        ) => provider.cancel(id, key).await,
        _ => Ok(provider_charge),
    }
}

/// Finds the object of an authorization, or makes sure that none can be created.
async fn find_or_create_unconfirmed(
    provider: &dyn PaymentProvider,
    authorization: &AuthorizationRequest,
    key: &str,
) -> Result<ProviderCharge, ProviderError> {
    if let Some(provider_charge) = provider.find_charge(authorization).await? {
        return Ok(provider_charge);
    }
    match provider.create_unconfirmed_charge(authorization, key).await {
        Err(ProviderError::KeyReused) => {}
        // A request that is rejected without confirmation is also rejected with confirmation.
        Err(ProviderError::Rejected { .. }) => return Ok(voided_without_object()),
        result => return result,
    }
    // The provider has received the authorization: between the two calls above, or before them without creating an
    // object. The same request with the same key has no second effect and returns the first response. Or it has received the
    // unconfirmed request of a previous attempt, which ended with a server error.
    if let Some(provider_charge) = provider.find_charge(authorization).await? {
        return Ok(provider_charge);
    }
    match provider.authorize(authorization).await {
        // A reused key belongs to an unconfirmed request, so that the authorization can no longer have an effect.
        Err(
            ProviderError::KeyReused
            | ProviderError::Rejected { .. }
            | ProviderError::OutcomeUnknown {
                is_server_error: true,
                ..
            },
        ) => Ok(voided_without_object()),
        result => result,
    }
}

const fn voided_without_object() -> ProviderCharge {
    ProviderCharge::without_object(ChargeState::Voided)
}
