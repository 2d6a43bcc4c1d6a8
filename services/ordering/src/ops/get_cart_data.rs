//! Returns the consumer's saved cart for a store with its current prices and the changes since it was saved.

use kit::ServiceError;
use types::{ConsumerId, StoreId};

use super::price_order::{PriceOrderError, price_cart};
use crate::{
    Ordering,
    db::carts,
    domain::{
        cart::{Cart, Pickup},
        journey_step::JourneyStep,
        line_change::{LineChange, find_changes},
        quote::Quote,
        saved_cart::CartData,
    },
};

/// Returns `None` if no cart is saved for the store.
///
/// # Errors
/// Errors of stores are returned unchanged.
pub async fn get_cart_data(
    cx: &Ordering,
    consumer_id: ConsumerId,
    journey_step: JourneyStep,
    store_id: StoreId,
) -> Result<Option<CartData>, PriceOrderError> {
    let mut conn = cx.pool.acquire().await?;
    let Some(saved) = carts::find(&mut conn, consumer_id).await? else {
        return Ok(None);
    };
    drop(conn);
    let cart = saved.draft.clone().parse()?;
    if cart.store_id != store_id {
        return Ok(None);
    }
    let (quote, mut changes) = price_possible(cx, consumer_id, journey_step, cart).await?;
    let before = saved
        .snapshot
        .as_ref()
        .map_or(&[][..], |snapshot| &snapshot.lines);
    changes.extend(find_changes(before, &quote.lines, &quote.problems));
    Ok(Some(CartData {
        saved,
        quote,
        changes,
    }))
}

/// Prices the cart. Options of the whole cart that the store no longer offers are removed and returned as changes.
async fn price_possible(
    cx: &Ordering,
    consumer_id: ConsumerId,
    journey_step: JourneyStep,
    mut cart: Cart,
) -> Result<(Quote, Vec<LineChange>), PriceOrderError> {
    let mut changes = Vec::new();
    loop {
        let error = match price_cart(cx, consumer_id, journey_step, &cart).await {
            Ok(quote) => return Ok((quote, changes)),
            Err(error) => error,
        };
        match error {
            PriceOrderError::CurbsideUnavailable if cart.pickup == Pickup::Curbside => {
                cart.pickup = Pickup::Counter;
            }
            PriceOrderError::TipOutOfRange if cart.tip_minor_units != 0 => cart.tip_minor_units = 0,
            _ => return Err(error),
        }
        let error = ServiceError::from(error);
        changes.push(LineChange {
            line_id: String::new(),
            item_name: String::new(),
            reason: error.reason.to_string(),
            message: error.message.to_string(),
            before: None,
            after: None,
        });
    }
}
