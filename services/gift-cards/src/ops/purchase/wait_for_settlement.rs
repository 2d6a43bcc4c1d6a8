use kit::InternalError;

use super::{
    PurchaseError, apply_charge_event::apply_outcome, error, removed_buyer::leave_to_recovery_if_removed,
};
use crate::{
    GiftCards,
    db::purchases,
    domain::purchase::{Purchase, PurchaseState},
};

/// Lets a purchase wait until its bank debit settles.
///
/// # Errors
/// Unavailable if another task took over the purchase, or if its consumer was removed.
pub(super) async fn wait_for_settlement(
    cx: &GiftCards,
    purchase: Purchase,
) -> Result<Purchase, PurchaseError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let outcome = purchases::advance(&mut tx, &purchase, PurchaseState::Processing, None, now)
        .await?
        .ok_or_else(error::taken_over)?;
    let id = purchase.id;
    let waiting = Purchase {
        state: PurchaseState::Processing,
        ..purchase
    };
    // The event about the charge may have arrived before.
    if let Some(outcome) = outcome {
        apply_outcome(cx, &mut tx, waiting, outcome, now).await?;
    } else if leave_to_recovery_if_removed(&mut tx, &waiting).await? {
        tx.commit().await?;
        return Err(error::taken_over());
    }
    let purchase = purchases::find(&mut tx, id)
        .await?
        .ok_or_else(|| InternalError::invariant_violated("a purchase was deleted"))?;
    tx.commit().await?;
    kit::fault_point::reach("purchase.processing");
    Ok(purchase)
}
