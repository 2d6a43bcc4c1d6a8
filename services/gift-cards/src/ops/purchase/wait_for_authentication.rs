use kit::InternalError;

use super::{
    PurchaseError, apply_charge_event::apply_outcome, error, removed_buyer::leave_to_recovery_if_removed,
};
use crate::{
    GiftCards,
    db::{purchase_leases, purchases},
    domain::{
        charge::ClientSecret,
        purchase::{Purchase, PurchaseState},
    },
};

/// Releases the lease until the consumer has authenticated the payment. Ends the purchase if the event about its charge arrived while
/// the task checked the charge, because no other event follows.
///
/// # Errors
/// Unavailable if another task took over the purchase, or if its consumer was removed.
pub(super) async fn wait_for_authentication(
    cx: &GiftCards,
    purchase: Purchase,
    client_secret: ClientSecret,
) -> Result<Purchase, PurchaseError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let outcome = purchase_leases::release_to_wait(
        &mut tx,
        purchase.id,
        purchase.epoch,
        cx.rules.authentication_timeout(),
    )
    .await?
    .ok_or_else(error::taken_over)?;
    let waiting = Purchase {
        state: PurchaseState::RequiresAction,
        client_secret,
        ..purchase
    };
    let Some(outcome) = outcome else {
        let is_removed = leave_to_recovery_if_removed(&mut tx, &waiting).await?;
        tx.commit().await?;
        if is_removed {
            return Err(error::taken_over());
        }
        kit::fault_point::reach("purchase.waiting");
        return Ok(waiting);
    };
    let id = waiting.id;
    apply_outcome(cx, &mut tx, waiting, outcome, cx.clock.now()).await?;
    let purchase = purchases::find(&mut tx, id)
        .await?
        .ok_or_else(|| InternalError::invariant_violated("a purchase was deleted"))?;
    tx.commit().await?;
    Ok(purchase)
}
