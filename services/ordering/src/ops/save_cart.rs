//! The server's copy of a consumer's cart, for their other devices.

use kit::{ErrorCode, InternalError, ServiceError};
use proto::{
    ordering::v1 as pb,
    stores::v1::{CartChoice, CartLine},
};
use serde::{Deserialize, Serialize};
use types::ConsumerId;

use crate::{Ordering, db::carts, ops::cart_limits};

const MOST_LINES: usize = 50;

/// Why a cart is not kept.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// More lines than an order may have.
    #[error("too many lines")]
    TooLarge,
    /// Something in it is out of its limits.
    #[error("malformed {0}")]
    Malformed(&'static str),
    /// Something broke.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(SaveError);

impl From<SaveError> for ServiceError {
    fn from(error: SaveError) -> Self {
        match error {
            SaveError::TooLarge => Self::new(
                ErrorCode::RuleViolation,
                "CART_TOO_LARGE",
                "A cart holds up to 50 lines.",
            )
            .with_field("cart.lines"),
            SaveError::Malformed(field) => Self::new(
                ErrorCode::InvalidRequest,
                "MALFORMED",
                "This cart cannot be kept.",
            )
            .with_field(field),
            SaveError::Internal(fault) => fault.into(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct KeptCart {
    cart_id: String,
    store_id: String,
    lines: Vec<KeptLine>,
    pickup: i32,
    pickup_at: String,
    promo_code: String,
    tip_minor_units: i64,
}

#[derive(Serialize, Deserialize)]
struct KeptLine {
    line_id: String,
    item_id: String,
    size_id: String,
    quantity: u32,
    choices: Vec<KeptChoice>,
    note: String,
}

#[derive(Serialize, Deserialize)]
struct KeptChoice {
    modification_id: String,
    choice_id: String,
    quantity: u32,
}

/// Keeps a cart in place of the earlier one; an empty one is forgotten.
///
/// # Errors
/// [`SaveError`].
pub async fn save_cart(
    cx: &Ordering,
    consumer: ConsumerId,
    cart: pb::Cart,
) -> Result<pb::SavedCart, SaveError> {
    if cart.lines.len() > MOST_LINES {
        return Err(SaveError::TooLarge);
    }
    cart_limits::kept(&cart).map_err(SaveError::Malformed)?;
    let mut conn = cx.pool.acquire().await?;
    if cart.lines.is_empty() {
        carts::delete(&mut conn, consumer).await?;
        return Ok(pb::SavedCart::default());
    }
    let kept = serde_json::to_value(KeptCart::from(cart.clone())).map_err(InternalError::broken)?;
    let now = cx.clock.now();
    carts::save(&mut conn, consumer, &kept, now).await?;
    Ok(pb::SavedCart {
        cart: Some(cart),
        saved_at: now.to_string(),
    })
}

/// The cart that is kept, if any.
///
/// # Errors
/// The database's.
pub async fn get_cart(cx: &Ordering, consumer: ConsumerId) -> Result<pb::SavedCart, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let Some((kept, saved_at)) = carts::find(&mut conn, consumer).await? else {
        return Ok(pb::SavedCart::default());
    };
    let kept: KeptCart = serde_json::from_value(kept).map_err(InternalError::broken)?;
    Ok(pb::SavedCart {
        cart: Some(kept.into()),
        saved_at: saved_at.to_string(),
    })
}

impl From<pb::Cart> for KeptCart {
    fn from(cart: pb::Cart) -> Self {
        let lines = cart.lines.into_iter().map(|line| KeptLine {
            line_id: line.line_id,
            item_id: line.item_id,
            size_id: line.size_id,
            quantity: line.quantity,
            choices: line.choices.into_iter().map(KeptChoice::from).collect(),
            note: line.note,
        });
        Self {
            lines: lines.collect(),
            cart_id: cart.cart_id,
            store_id: cart.store_id,
            pickup: cart.pickup,
            pickup_at: cart.pickup_at,
            promo_code: cart.promo_code,
            tip_minor_units: cart.tip_minor_units,
        }
    }
}

impl From<KeptCart> for pb::Cart {
    fn from(kept: KeptCart) -> Self {
        let lines = kept.lines.into_iter().map(|line| CartLine {
            line_id: line.line_id,
            item_id: line.item_id,
            size_id: line.size_id,
            quantity: line.quantity,
            choices: line.choices.into_iter().map(CartChoice::from).collect(),
            note: line.note,
        });
        Self {
            lines: lines.collect(),
            cart_id: kept.cart_id,
            store_id: kept.store_id,
            pickup: kept.pickup,
            pickup_at: kept.pickup_at,
            promo_code: kept.promo_code,
            tip_minor_units: kept.tip_minor_units,
        }
    }
}

impl From<CartChoice> for KeptChoice {
    fn from(choice: CartChoice) -> Self {
        Self {
            modification_id: choice.modification_id,
            choice_id: choice.choice_id,
            quantity: choice.quantity,
        }
    }
}

impl From<KeptChoice> for CartChoice {
    fn from(kept: KeptChoice) -> Self {
        Self {
            modification_id: kept.modification_id,
            choice_id: kept.choice_id,
            quantity: kept.quantity,
        }
    }
}
