use jiff::Timestamp;
use sqlx::PgConnection;
use types::ChargeId;

use super::apply_disputes::apply_disputes;
use super::apply_refunds::apply_refunds;
use super::end_recovery::end_recovery;
use super::publish;
use super::record_debt::record_return_debt;
use super::save_charge::save_charge;
use crate::Payments;
use crate::db::{charges, effects};
use crate::domain::charge::{Charge, ChargeState, DEFAULT_HOLD};
use crate::domain::effect::Effect;
use crate::provider::ProviderCharge;

/// Applies the provider's state to a charge in the caller's transaction, plans the effect that is due, and publishes the
/// changes. An outdated state changes nothing. A result without an object is outdated once the charge has one. Returns the charge,
/// locked.
pub async fn apply_provider_state(
    cx: &Payments,
    conn: &mut PgConnection,
    id: ChargeId,
    provider_charge: &ProviderCharge,
    now: Timestamp,
) -> Result<Charge, kit::InternalError> {
    let mut charge = charges::lock(conn, id)
        .await?
        .ok_or_else(|| kit::InternalError::invariant_violated(format!("charge {id} not found")))?;
    if let (Some(known), Some(received)) = (&charge.provider_id, &provider_charge.provider_id)
        && known != received
    {
        return Err(kit::InternalError::invariant_violated(format!(
            "charge {id} has two objects at the provider: {known} and {received}"
        )));
    }
    if provider_charge.provider_id.is_none() && charge.provider_id.is_some() {
        return Ok(charge);
    }
    let is_reopened = provider_charge.provider_id.is_some() && charge.reopen(&provider_charge.state);
    let has_new_id = charge.provider_id.is_none() && provider_charge.provider_id.is_some();
    if has_new_id {
        charge.provider_id.clone_from(&provider_charge.provider_id);
    }
    let old_state = charge.state.as_str();
    let has_new_state = charge.apply_provider_state(provider_charge.state.clone());
    if has_new_state && charge.state == ChargeState::Authorized {
        charge.hold_ends_at = Some(provider_charge.hold_ends_at.unwrap_or(now + DEFAULT_HOLD));
    }
    if has_new_id || has_new_state {
        save_charge(conn, &mut charge, now).await?;
    }
    if is_reopened {
        tracing::warn!(charge_id = %id, subject = %charge.subject, "object found after its charge was voided");
        if let Some(effect) = charge.next_effect() {
            // The void is done, and due again.
            effects::plan_missing(conn, Effect::Charge(id, effect)).await?;
        }
    }
    if has_new_state {
        tracing::info!(
            charge_id = %id,
            subject = %charge.subject,
            from = old_state,
            to = charge.state.as_str(),
            "charge state changed"
        );
        if let Some(event) = charge.event() {
            publish::charge_event(conn, &charge, event, now).await?;
        }
    }
    apply_refunds(conn, &mut charge, provider_charge, now).await?;
    apply_disputes(conn, &mut charge, &provider_charge.disputes, now).await?;
    if has_new_state {
        record_return_debt(cx, conn, &mut charge, now).await?;
        end_recovery(conn, &mut charge, now).await?;
    }
    Ok(charge)
}
