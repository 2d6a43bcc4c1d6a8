//! Saves the consumer's cart for their other devices.

use jiff::Timestamp;
use kit::{InternalError, ServiceError};
use types::ConsumerId;

use crate::{
    Ordering,
    db::carts,
    domain::cart::{CartDraft, CartError},
};

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

/// Replaces the saved cart, or deletes it if the new one has no lines. Returns the saved cart and when it was saved.
///
/// # Errors
/// [`SaveCartError::Cart`] if the cart exceeds a limit.
pub async fn save_cart(
    cx: &Ordering,
    consumer_id: ConsumerId,
    cart: Option<CartDraft>,
) -> Result<Option<(CartDraft, Timestamp)>, SaveCartError> {
    let Some(cart) = cart.filter(|cart| !cart.lines.is_empty()) else {
        let mut conn = cx.pool.acquire().await?;
        carts::delete(&mut conn, consumer_id).await?;
        return Ok(None);
    };
    cart.check_limits()?;
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    carts::save(&mut conn, consumer_id, &cart, now).await?;
    Ok(Some((cart, now)))
}
