//! Compares the charges of the last days with the provider's, in both directions.

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};
use types::ChargeId;

use super::audit::report_comparison;
use super::refresh_charge::refresh;
use crate::Payments;
use crate::db::{audit, charges};
use crate::domain::charge::Charge;
use crate::domain::comparison::{Comparison, ProviderDifference};
use crate::provider::ProviderCharge;

/// Age of the oldest charges that are compared. Later, only disputes and returns change a charge, and webhooks report them.
pub const MAX_AGE: SignedDuration = SignedDuration::from_hours(24 * 7);
/// The provider creates its object after our row, by its own clock.
const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_hours(1);

/// Compares all charges since an instant. A charge of which the provider has a later state gets it, with the same events as after a
/// webhook; other differences are returned, and so are the charges that could not be compared.
///
/// # Errors
/// The provider does not list its charges, or the database is unavailable.
pub async fn compare_with_provider(
    cx: &Payments,
    since: Timestamp,
) -> Result<Comparison, kit::InternalError> {
    // Read first: whatever is paid by now is in the provider's list.
    let mut paid = list_paid(cx, since).await?;
    let mut comparison = Comparison::default();
    let mut after = None;
    loop {
        let page = cx
            .provider
            .list_charges(since - CLOCK_TOLERANCE, after.as_deref())
            .await?;
        for provider_charge in &page {
            if let Some(id) = provider_charge.charge_id {
                paid.remove(&id);
                compare(cx, id, provider_charge, &mut comparison).await?;
            }
        }
        match page.last().and_then(|charge| charge.provider_id.clone()) {
            Some(last) => after = Some(last),
            None => break,
        }
    }
    let missing = paid
        .into_iter()
        .map(|id| (id, ProviderDifference::MissingAtProvider));
    comparison.differences.extend(missing);
    comparison.differences.sort_unstable();
    report_comparison(&comparison);
    Ok(comparison)
}

async fn list_paid(cx: &Payments, since: Timestamp) -> Result<HashSet<ChargeId>, kit::InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    kit::postgres::remove_statement_timeout(&mut tx).await?;
    let paid = audit::list_paid(&mut tx, since).await?;
    tx.commit().await?;
    Ok(paid.into_iter().collect())
}

async fn compare(
    cx: &Payments,
    id: ChargeId,
    provider_charge: &ProviderCharge,
    comparison: &mut Comparison,
) -> Result<(), kit::InternalError> {
    comparison.compared += 1;
    let mut conn = cx.pool.acquire().await?;
    let charge = charges::find(&mut conn, id).await?;
    drop(conn);
    let Some(charge) = charge else {
        if provider_charge.state.has_money() {
            comparison.differences.push((id, ProviderDifference::UnknownHere));
        }
        return Ok(());
    };
    if charge.state.agrees_with(&provider_charge.state) {
        return Ok(());
    }
    if let Err(error) = update(cx, charge, provider_charge, comparison).await {
        tracing::warn!(charge_id = %id, %error, "charge not compared with the provider; will retry");
        comparison.failed.push(id);
    }
    Ok(())
}

/// Fetches a charge again, with the disputes and as it is now, and applies its state.
async fn update(
    cx: &Payments,
    charge: Charge,
    listed: &ProviderCharge,
    comparison: &mut Comparison,
) -> Result<(), kit::InternalError> {
    let (id, before) = (charge.id, charge.state.as_str());
    let refreshed = refresh(cx, charge).await?.charge;
    if refreshed.state.as_str() != before {
        comparison.updated.push(id);
    } else if has_money_now(cx, listed).await? != refreshed.state.has_money() {
        comparison.differences.push((id, ProviderDifference::State));
    }
    Ok(())
}

/// The charge may have changed after the provider listed it.
async fn has_money_now(cx: &Payments, listed: &ProviderCharge) -> Result<bool, kit::InternalError> {
    let Some(provider_id) = &listed.provider_id else {
        return Ok(listed.state.has_money());
    };
    Ok(cx.provider.fetch_charge(provider_id).await?.state.has_money())
}
