//! Closes an order with everybody who may hold something for it: a tombstone under its id, so that what is still on its
//! way can no longer happen. Recovery closes, it never asks (architecture).

use std::time::Duration;

use kit::{InternalError, grpc::retry};
use proto::{
    giftcards::v1::CloseHoldRequest, payments::v1::CloseChargeRequest, rewards::v1::CloseClaimRequest,
    stores::v1::ReleaseCapacityRequest,
};
use types::OrderId;

use crate::Ordering;

const BUDGET: Duration = Duration::from_secs(4);

/// Makes sure that nothing is held for an order, and never will be. The charge first: money before minutes.
///
/// # Errors
/// Somebody is away: nothing is known of what they hold, so the order stays as it is.
pub async fn close(cx: &Ordering, order: OrderId) -> Result<(), InternalError> {
    let order_id = order.to_string();
    retry(BUDGET, || {
        let (mut payments, order_id) = (cx.clients.payments(), order_id.clone());
        async move { payments.close_charge(CloseChargeRequest { order_id }).await }
    })
    .await?;
    kit::fault_point::reach("close.charge");
    let hold = retry(BUDGET, || {
        let (mut gift_cards, order_id) = (cx.clients.gift_cards(), order_id.clone());
        async move { gift_cards.close_hold(CloseHoldRequest { order_id }).await }
    });
    let minutes = retry(BUDGET, || {
        let (mut stores, order_id) = (cx.clients.stores(), order_id.clone());
        async move { stores.release_capacity(ReleaseCapacityRequest { order_id }).await }
    });
    let claim = retry(BUDGET, || {
        let (mut rewards, order_id) = (cx.clients.rewards(), order_id.clone());
        async move { rewards.close_claim(CloseClaimRequest { order_id }).await }
    });
    tokio::try_join!(hold, minutes, claim)?;
    Ok(())
}
