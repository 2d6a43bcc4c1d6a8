use jiff::Timestamp;
use sqlx::PgConnection;
use types::RefundId;

use super::publish;
use super::save_charge::save_charge;
use crate::db::{effects, refunds};
use crate::domain::charge::{Charge, ChargeEvent, ChargeState};
use crate::domain::effect::Effect;
use crate::domain::refund::{ProviderRefund, Refund, RefundState};
use crate::provider::ProviderCharge;

/// Applies the provider's refunds to a locked charge, and publishes each refund and each failure once. Plans the refunds
/// that waited for the charge to succeed, and cancels those that the charge can no longer pay for.
pub async fn apply_refunds(
    conn: &mut PgConnection,
    charge: &mut Charge,
    provider_charge: &ProviderCharge,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    if charge.terms.is_none() {
        return Ok(());
    }
    let mut known = refunds::list_of_charge(conn, charge.id).await?;
    for reported in &provider_charge.refunds {
        apply_refund(conn, charge, &mut known, reported, now).await?;
    }
    let accepted = known.iter().filter(|refund| refund.state.is_accepted());
    let refunded: i64 = accepted.map(|refund| refund.amount.minor_units()).sum();
    // The list of the provider can be incomplete.
    if charge.record_refunds(refunded.max(provider_charge.refunded_minor_units)) {
        save_charge(conn, charge, now).await?;
    }
    let planned = known
        .into_iter()
        .filter(|refund| refund.state == RefundState::Planned);
    plan_or_cancel(conn, charge, planned, now).await
}

/// Plans the effects of planned refunds, oldest first, as far as the charge can pay for them, and cancels the others: the charge was
/// returned or disputed, or refunded at the provider.
async fn plan_or_cancel(
    conn: &mut PgConnection,
    charge: &Charge,
    planned: impl Iterator<Item = Refund>,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    let mut refundable = if charge.state.is_final() {
        0
    } else {
        charge.refundable_minor_units()
    };
    for mut refund in planned {
        let effect = Effect::RefundPart(refund.id);
        let minor_units = refund.amount.minor_units();
        if minor_units <= refundable {
            refundable -= minor_units;
            if charge.state == ChargeState::Succeeded {
                effects::plan(conn, effect).await?;
            }
        } else {
            tracing::warn!(
                charge_id = %charge.id,
                subject = %charge.subject,
                refund_id = refund.request_id,
                amount = %refund.amount,
                "refund canceled: the charge has less to refund"
            );
            refund.state = RefundState::Canceled;
            refunds::update(conn, &refund, now).await?;
            effects::mark_done(conn, effect, now).await?;
        }
    }
    Ok(())
}

async fn apply_refund(
    conn: &mut PgConnection,
    charge: &mut Charge,
    known: &mut Vec<Refund>,
    reported: &ProviderRefund,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    let is_same = |refund: &&mut Refund| match &refund.provider_id {
        Some(provider_id) => *provider_id == reported.provider_id,
        None => refund.request_id.is_some() && refund.request_id == reported.request_id,
    };
    let (old_state, refund) = if let Some(refund) = known.iter_mut().find(is_same) {
        let Some(state) = refund.state.after(reported.state) else {
            return Ok(());
        };
        let old_state = std::mem::replace(&mut refund.state, state);
        refund.provider_id = Some(reported.provider_id.clone());
        refunds::update(conn, refund, now).await?;
        (old_state, refund.clone())
    } else {
        let refund = Refund {
            id: RefundId::new(now),
            charge_id: charge.id,
            request_id: reported.request_id.clone(),
            amount: reported.amount,
            provider_id: Some(reported.provider_id.clone()),
            state: reported.state,
        };
        refunds::insert(conn, &refund, now).await?;
        known.push(refund.clone());
        (RefundState::Planned, refund)
    };
    let event = match (old_state.is_accepted(), refund.state) {
        (_, RefundState::Failed) => ChargeEvent::RefundFailed(refund.summary()),
        (false, _) => ChargeEvent::Refunded(refund.summary()),
        (true, _) => return Ok(()),
    };
    // Each event has a version of its own.
    save_charge(conn, charge, now).await?;
    Ok(publish::charge_event(conn, charge, event, now).await?)
}
