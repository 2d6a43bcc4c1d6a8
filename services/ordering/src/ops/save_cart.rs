//! Saves the consumer's cart for their other devices.

use std::time::Duration;

use kit::{InternalError, ServiceError, grpc::deadline};
use types::ConsumerId;

use super::price_order::price_cart;
use crate::{
    Ordering,
    db::carts,
    domain::{
        cart::{Cart, CartDraft, CartError, Pickup},
        journey_step::JourneyStep,
        saved_cart::{CartSnapshot, SavedCart},
    },
};

/// The cart is saved without prices if pricing takes longer.
const PRICING_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Debug, thiserror::Error)]
pub enum SaveCartError {
    #[error(transparent)]
    Cart(#[from] CartError),
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(SaveCartError);

impl From<SaveCartError> for ServiceError {
    fn from(error: SaveCartError) -> Self {
        match error {
            SaveCartError::Cart(error) => error.into(),
            SaveCartError::Internal(error) => error.into(),
        }
    }
}

/// Replaces the saved cart, or deletes it if the new one has no lines.
///
/// # Errors
/// [`SaveCartError::Cart`] if the cart exceeds a limit.
pub async fn save_cart(
    cx: &Ordering,
    consumer_id: ConsumerId,
    cart: Option<CartDraft>,
) -> Result<Option<SavedCart>, SaveCartError> {
    let Some(cart) = cart.filter(|cart| !cart.lines.is_empty()) else {
        let mut conn = cx.pool.acquire().await?;
        carts::delete(&mut conn, consumer_id).await?;
        return Ok(None);
    };
    cart.check_limits()?;
    let saved = SavedCart {
        snapshot: take_snapshot(cx, consumer_id, &cart).await,
        draft: cart,
        saved_at: cx.clock.now(),
    };
    let mut conn = cx.pool.acquire().await?;
    carts::save(&mut conn, consumer_id, &saved).await?;
    Ok(Some(saved))
}

/// Returns `None` if the cart cannot be priced now. Does not check the pickup kind and the tip, because they do not
/// change the prices of lines. A discount only for the app does not either.
async fn take_snapshot(cx: &Ordering, consumer_id: ConsumerId, cart: &CartDraft) -> Option<CartSnapshot> {
    let cart = Cart {
        pickup: Pickup::Counter,
        pickup_at: None,
        tip_minor_units: 0,
        ..cart.clone().parse().ok()?
    };
    let pricing = deadline::within(
        PRICING_TIMEOUT,
        price_cart(cx, consumer_id, JourneyStep::Web, &cart),
    );
    match pricing.await {
        Ok(quote) => Some(CartSnapshot::of(quote)),
        Err(error) => {
            tracing::info!(%error, "cart saved without prices");
            None
        }
    }
}
