//! Reconciles charges with the provider, in case a webhook or a response was lost, and plans effects that are due but not
//! planned.

use std::time::Duration;

use crate::Payments;
use crate::db::charges;
use crate::ops::refresh_charge::refresh_charge;
use crate::ops::replan_effect::replan_effect;
use crate::ops::resume_recovery::resume_recovery;

const INTERVAL: Duration = Duration::from_secs(30);
/// Age from which a charge without an outcome is reconciled.
const MIN_AGE: Duration = Duration::from_mins(2);
const BATCH_SIZE: i64 = 50;

/// Runs until shutdown.
pub async fn run(cx: Payments) {
    while cx.process.sleep(INTERVAL).await {
        if let Err(error) = reconcile_charges(&cx).await {
            tracing::warn!(%error, "charges not reconciled; will retry");
        }
    }
}

/// Reconciles one batch of charges. Returns the size of the batch.
pub async fn reconcile_charges(cx: &Payments) -> Result<usize, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let claimed = charges::claim_for_reconciliation(&mut conn, MIN_AGE, BATCH_SIZE).await?;
    drop(conn);
    for &(charge_id, subject) in &claimed {
        if let Err(error) = refresh_charge(cx, subject).await {
            tracing::warn!(%subject, %error, "charge not reconciled; will retry");
        }
        if let Err(error) = resume_recovery(cx, subject).await {
            tracing::warn!(%subject, %error, "recovery not resumed; will retry");
        }
        // Runs even if the provider is unavailable.
        if let Err(error) = replan_effect(cx, charge_id).await {
            tracing::warn!(%subject, %error, "effect not planned; will retry");
        }
    }
    Ok(claimed.len())
}
