//! Refunds a part of a charge.

use types::{ChargeId, RefundId};

use super::{Attempt, apply, is_server_error, read_charge, record_subject};
use crate::Payments;
use crate::db::effects::ClaimedEffect;
use crate::db::refunds;
use crate::domain::refund::{Refund, RefundState};
use crate::provider::{ProviderError, RefundRequest};

pub async fn refund_part(
    cx: &Payments,
    claimed: &ClaimedEffect,
    id: RefundId,
) -> Result<Attempt, kit::InternalError> {
    let Some(refund) = read_planned(cx, id).await? else {
        return Ok(Ok(()));
    };
    let charge = read_charge(cx, refund.charge_id).await?;
    record_subject(charge.subject);
    let (Some(provider_id), Some(request_id)) = (&charge.provider_id, &refund.request_id) else {
        return Err(kit::InternalError::invariant_violated(format!(
            "refund {id} has no request or no charge at the provider"
        )));
    };
    let request = RefundRequest {
        amount: refund.amount,
        request_id,
    };
    match cx
        .provider
        .refund(provider_id, request, &claimed.idempotency_key())
        .await
    {
        Ok(provider_charge) => {
            kit::fault_point::reach("effect.executed");
            apply(cx, charge.id, &provider_charge).await?;
            Ok(Ok(()))
        }
        // A previous attempt may have succeeded.
        Err(error) if matches!(error, ProviderError::Rejected { .. }) || is_server_error(&error) => {
            fetch_after_error(cx, charge.id, provider_id, id, error).await
        }
        Err(error) => Ok(Err(error)),
    }
}

async fn fetch_after_error(
    cx: &Payments,
    charge_id: ChargeId,
    provider_id: &str,
    id: RefundId,
    error: ProviderError,
) -> Result<Attempt, kit::InternalError> {
    match cx.provider.fetch_charge(provider_id).await {
        Ok(provider_charge) => {
            apply(cx, charge_id, &provider_charge).await?;
            let is_planned = read_planned(cx, id).await?.is_some();
            Ok(if is_planned { Err(error) } else { Ok(()) })
        }
        // The next attempt has the same key: with another one, a refund that succeeded would be repeated.
        Err(fetch_error) => Ok(Err(ProviderError::OutcomeUnknown {
            cause: format!("{error}; state not fetched: {fetch_error}"),
            is_server_error: false,
        })),
    }
}

async fn read_planned(cx: &Payments, id: RefundId) -> Result<Option<Refund>, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let refund = refunds::find(&mut conn, id).await?;
    Ok(refund.filter(|refund| refund.state == RefundState::Planned))
}
