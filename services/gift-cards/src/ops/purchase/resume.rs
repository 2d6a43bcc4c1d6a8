//! Resumes a purchase that waits for the consumer to authenticate the payment.

use types::PurchaseId;

use super::{PurchaseError, charge, spawn_to_completion, wait_for_authentication::wait_for_authentication};
use crate::{
    GiftCards,
    db::{purchase_leases, purchases},
    domain::{
        charge::ClientSecret,
        purchase::{Purchase, PurchaseState},
    },
};

/// Checks the payment and continues the saga: completes the purchase, fails it, or keeps waiting.
///
/// Returns `None` if the purchase does not wait: another task works on it, or has ended it.
pub(super) async fn resume(cx: &GiftCards, id: PurchaseId) -> Result<Option<Purchase>, PurchaseError> {
    spawn_to_completion(cx, move |cx| async move {
        let mut conn = cx.pool.acquire().await?;
        let Some(waiting) = purchases::find(&mut conn, id).await? else {
            return Ok(None);
        };
        let lease = cx.rules.saga_lease();
        let Some(epoch) = purchase_leases::acquire_waiting(&mut conn, id, lease).await? else {
            return Ok(None);
        };
        drop(conn);
        let purchase = Purchase {
            state: PurchaseState::Pending,
            epoch,
            ..waiting
        };
        match cx.clients.payments.refresh_charge(&purchase).await {
            Ok(charge) => charge::apply_charge(&cx, purchase, charge).await.map(Some),
            Err(error) => {
                // The outcome is unknown: keep waiting. A call with the same key checks again.
                wait_for_authentication(&cx, purchase, ClientSecret::default()).await?;
                Err(error.into())
            }
        }
    })
    .await
}
