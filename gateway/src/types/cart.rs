//! The cart.

use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::enums::{Pickup, UnknownValue};
use super::{convert_all, non_empty};

/// The items of an order before it is placed, with store, pickup and tip.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cart {
    /// Created by the client with the cart. A cart has at most one order that has not failed.
    #[serde(default)]
    #[schema(required)]
    pub(crate) cart_id: String,
    pub(crate) store_id: String,
    pub(crate) lines: Vec<CartLine>,
    #[serde(default)]
    #[schema(required)]
    pub(crate) pickup: Pickup,
    /// Requested ready time; null for as soon as possible.
    #[schema(required, format = DateTime)]
    pub(crate) pickup_at: Option<String>,
    /// As typed; null without one.
    #[schema(required)]
    pub(crate) promo_code: Option<String>,
    /// Cents. At most the subtotal of the order or `x-maximum-or-subtotal`, whichever is greater.
    #[serde(default)]
    #[schema(required)]
    pub(crate) tip_amount: i64,
}

impl From<Cart> for ordering::Cart {
    fn from(cart: Cart) -> Self {
        Self {
            cart_id: cart.cart_id,
            store_id: cart.store_id,
            lines: convert_all(cart.lines),
            pickup: ordering::PickupKind::from(cart.pickup).into(),
            pickup_at: cart.pickup_at.unwrap_or_default(),
            promo_code: cart.promo_code.unwrap_or_default(),
            tip_minor_units: cart.tip_amount,
        }
    }
}

impl TryFrom<ordering::Cart> for Cart {
    type Error = UnknownValue;

    fn try_from(cart: ordering::Cart) -> Result<Self, UnknownValue> {
        Ok(Self {
            cart_id: cart.cart_id,
            store_id: cart.store_id,
            lines: convert_all(cart.lines),
            pickup: cart.pickup.try_into()?,
            pickup_at: non_empty(cart.pickup_at),
            promo_code: non_empty(cart.promo_code),
            tip_amount: cart.tip_minor_units,
        })
    }
}

/// A customized item and its quantity.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CartLine {
    /// Created by the client; unique in its cart.
    pub(crate) line_id: String,
    pub(crate) item_id: String,
    pub(crate) size_id: String,
    pub(crate) quantity: u32,
    #[serde(default)]
    #[schema(required)]
    pub(crate) choices: Vec<CartChoice>,
    /// For the barista.
    #[serde(default)]
    #[schema(required)]
    pub(crate) note: String,
}

impl From<CartLine> for stores::CartLine {
    fn from(line: CartLine) -> Self {
        Self {
            line_id: line.line_id,
            item_id: line.item_id,
            size_id: line.size_id,
            quantity: line.quantity,
            choices: convert_all(line.choices),
            note: line.note,
        }
    }
}

impl From<stores::CartLine> for CartLine {
    fn from(line: stores::CartLine) -> Self {
        Self {
            line_id: line.line_id,
            item_id: line.item_id,
            size_id: line.size_id,
            quantity: line.quantity,
            choices: convert_all(line.choices),
            note: line.note,
        }
    }
}

/// A choice and its quantity.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CartChoice {
    pub(crate) modification_id: String,
    pub(crate) choice_id: String,
    /// 0 removes a default choice of the item.
    pub(crate) quantity: u32,
}

impl From<CartChoice> for stores::CartChoice {
    fn from(choice: CartChoice) -> Self {
        Self {
            modification_id: choice.modification_id,
            choice_id: choice.choice_id,
            quantity: choice.quantity,
        }
    }
}

impl From<stores::CartChoice> for CartChoice {
    fn from(choice: stores::CartChoice) -> Self {
        Self {
            modification_id: choice.modification_id,
            choice_id: choice.choice_id,
            quantity: choice.quantity,
        }
    }
}

/// Saves the cart for the consumer's other devices.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SaveCartRequest {
    pub(crate) cart: Cart,
}

/// The cart saved on the server.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavedCart {
    /// Null if no cart is saved.
    #[schema(required)]
    pub(crate) cart: Option<Cart>,
    #[schema(required, format = DateTime)]
    pub(crate) saved_at: Option<String>,
}

impl TryFrom<ordering::SavedCart> for SavedCart {
    type Error = UnknownValue;

    fn try_from(saved: ordering::SavedCart) -> Result<Self, UnknownValue> {
        Ok(Self {
            cart: saved.cart.map(Cart::try_from).transpose()?,
            saved_at: non_empty(saved.saved_at),
        })
    }
}
