//! Saves the consumer's cart for their other devices.

use std::time::Duration;

use kit::{InternalError, ServiceError, grpc::deadline};
use types::ConsumerId;

use super::price_order::{PriceOrderError, price_cart};
use crate::{
    Ordering,
    db::{self, carts},
    domain::{
        cart::{Cart, CartDraft, CartError, Pickup},
        journey_step::JourneyStep,
        pricing::max_tip,
        quote::Quote,
        saved_cart::{CartSnapshot, SavedCart},
    },
    errors::{STORE_UNKNOWN, store_unknown, tip_too_large},
};

/// The cart is saved without prices if pricing takes longer.
const PRICING_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Debug, thiserror::Error)]
pub enum SaveCartError {
    #[error(transparent)]
    Cart(#[from] CartError),
    #[error("unknown store")]
    StoreUnknown,
    #[error("tip out of range")]
    TipOutOfRange,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(SaveCartError);

impl From<SaveCartError> for ServiceError {
    fn from(error: SaveCartError) -> Self {
        match error {
            SaveCartError::Cart(error) => error.into(),
            SaveCartError::StoreUnknown => store_unknown().with_field("cart.storeId"),
            SaveCartError::TipOutOfRange => tip_too_large(),
            SaveCartError::Internal(error) => error.into(),
        }
    }
}

/// Replaces the saved cart. A cart without lines deletes the saved cart with its id, or any saved cart if it has no id. Returns
/// the saved cart, which is another one if that was saved in the meantime, and none if the cart was ordered. An item that the
/// store does not offer, or no longer offers, is saved: it is a change when the cart is read.
///
/// # Errors
/// [`SaveCartError::Cart`] if the cart is malformed or exceeds a limit. [`SaveCartError::StoreUnknown`] and
/// [`SaveCartError::TipOutOfRange`] only if the cart can be priced now.
pub async fn save_cart(
    cx: &Ordering,
    consumer_id: ConsumerId,
    cart: Option<CartDraft>,
) -> Result<Option<SavedCart>, SaveCartError> {
    let Some(cart) = cart else {
        return delete_cart(cx, consumer_id, None).await;
    };
    if cart.lines.is_empty() {
        let cart_id = Some(cart.cart_id.as_str()).filter(|id| !id.is_empty());
        return delete_cart(cx, consumer_id, cart_id).await;
    }
    let parsed = cart.parse_to_save()?;
    // Before the prices are requested, so that a slow request does not replace the cart of a later one.
    let saved_at = db::clock::now(&mut *cx.pool.acquire().await?).await?;
    let saved = SavedCart {
        snapshot: take_snapshot(cx, consumer_id, parsed).await?,
        draft: cart,
        saved_at,
    };
    let mut conn = cx.pool.acquire().await?;
    if carts::save(&mut conn, consumer_id, &saved).await? {
        return Ok(Some(saved));
    }
    Ok(carts::find(&mut conn, consumer_id).await?)
}

/// Returns the cart that is still saved: another device may have started it.
async fn delete_cart(
    cx: &Ordering,
    consumer_id: ConsumerId,
    cart_id: Option<&str>,
) -> Result<Option<SavedCart>, SaveCartError> {
    let mut conn = cx.pool.acquire().await?;
    carts::delete(&mut conn, consumer_id, cart_id).await?;
    Ok(carts::find(&mut conn, consumer_id).await?)
}

/// Returns `None` if the cart cannot be priced now. Prices without the pickup kind, the time and the tip, because they do
/// not change the prices of lines. A discount only for the app does not either.
async fn take_snapshot(
    cx: &Ordering,
    consumer_id: ConsumerId,
    cart: Cart,
) -> Result<Option<CartSnapshot>, SaveCartError> {
    let (tip_minor_units, line_count) = (cart.tip_minor_units, cart.lines.len());
    let cart = Cart {
        pickup: Pickup::Counter,
        pickup_at: None,
        tip_minor_units: 0,
        ..cart
    };
    let pricing = deadline::within(
        PRICING_TIMEOUT,
        price_cart(cx, consumer_id, JourneyStep::Web, &cart),
    );
    match pricing.await {
        Ok(quote) => {
            check_tip(tip_minor_units, &quote, line_count)?;
            Ok(Some(CartSnapshot::of(quote)))
        }
        Err(error) if is_store_unknown(&error) => Err(SaveCartError::StoreUnknown),
        Err(error) => {
            tracing::info!(%error, "cart saved without prices");
            Ok(None)
        }
    }
}

/// The subtotal, on which the maximum depends, is known only if every line has a price.
fn check_tip(tip_minor_units: i64, quote: &Quote, line_count: usize) -> Result<(), SaveCartError> {
    let is_known = quote.lines.len() == line_count;
    if is_known && tip_minor_units > max_tip(quote.totals.subtotal) {
        return Err(SaveCartError::TipOutOfRange);
    }
    Ok(())
}

/// Of the ids in a request for prices, only the store's id is an error; the others are problems of lines.
fn is_store_unknown(error: &PriceOrderError) -> bool {
    matches!(error, PriceOrderError::Internal(error) if error.has_reason(STORE_UNKNOWN))
}
