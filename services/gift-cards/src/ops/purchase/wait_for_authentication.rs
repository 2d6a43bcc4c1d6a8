use super::{PurchaseError, error};
use crate::{
    GiftCards,
    db::purchase_leases,
    domain::purchase::{Purchase, PurchaseState},
};

/// Releases the lease until the consumer has authenticated the payment.
///
/// # Errors
/// Unavailable if another task took over the purchase.
pub(super) async fn wait_for_authentication(
    cx: &GiftCards,
    purchase: Purchase,
    client_secret: String,
) -> Result<Purchase, PurchaseError> {
    let mut conn = cx.pool.acquire().await?;
    let is_released = purchase_leases::release_to_wait(
        &mut conn,
        purchase.id,
        purchase.epoch,
        &client_secret,
        cx.rules.authentication_timeout(),
    )
    .await?;
    if !is_released {
        return Err(error::taken_over());
    }
    kit::fault_point::reach("purchase.waiting");
    Ok(Purchase {
        state: PurchaseState::RequiresAction,
        client_secret,
        ..purchase
    })
}
