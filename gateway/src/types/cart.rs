//! The cart.

use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;
use proto::values::v1 as values;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::enums::{Pickup, UnknownValue};
use super::money::Money;
use super::quote::Quote;
use super::{convert_all, non_empty, try_convert_all};

/// The items of an order before it is placed, with store, pickup and tip. The server writes the fields that are only for
/// display, and ignores them in requests.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cart {
    /// Created by the client with the cart. A cart has at most one order that has not failed.
    #[serde(default)]
    #[schema(required)]
    pub(crate) cart_id: String,
    #[serde(alias = "lines")]
    pub(crate) items: Vec<CartLine>,
    #[serde(default)]
    #[schema(required)]
    pub(crate) pickup: Pickup,
    #[serde(default)]
    #[schema(required)]
    pub(crate) promo: CartPromo,
    /// The promo code, as sent by versions of the app without `promo`.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    promo_code: Option<String>,
    /// Requested ready time; null for as soon as possible.
    #[serde(alias = "pickupAt")]
    #[schema(required, format = DateTime)]
    pub(crate) schedule: Option<String>,
    pub(crate) store_id: String,
    /// For display.
    #[serde(default)]
    pub(crate) store_name: String,
    /// Street and city, for display.
    #[serde(default)]
    pub(crate) store_address: String,
    /// Address of a picture of the store, for display. Empty without one.
    #[serde(default)]
    pub(crate) store_photo: String,
    /// Parts per million, for display.
    #[serde(default)]
    pub(crate) tax_rate: i64,
    /// Cents. At most the subtotal of the order or `x-maximum-or-subtotal`, whichever is greater.
    #[serde(default)]
    #[schema(required)]
    pub(crate) tip_amount: i64,
}

/// The promo code of a cart.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CartPromo {
    /// As typed; empty without one.
    #[serde(default)]
    #[schema(required)]
    pub(crate) code: String,
    /// `fixed`: the value is an amount.
    #[serde(rename = "type", default = "fixed_promo")]
    pub(crate) kind: String,
    /// The discount in cents, for display.
    #[serde(default)]
    pub(crate) value: i64,
}

impl Default for CartPromo {
    fn default() -> Self {
        Self {
            code: String::new(),
            kind: fixed_promo(),
            value: 0,
        }
    }
}

fn fixed_promo() -> String {
    "fixed".to_owned()
}

impl Cart {
    fn with_display(self, display: ordering::CartDisplay) -> Self {
        Self {
            store_name: display.store_name,
            store_address: display.store_address,
            tax_rate: display.tax_rate_ppm,
            promo: CartPromo {
                value: display.promo_minor_units,
                ..self.promo
            },
            ..self
        }
    }
}

impl From<Cart> for ordering::Cart {
    fn from(cart: Cart) -> Self {
        let code = non_empty(cart.promo.code).or(cart.promo_code);
        Self {
            cart_id: cart.cart_id,
            store_id: cart.store_id,
            lines: convert_all(cart.items),
            pickup: ordering::PickupKind::from(cart.pickup).into(),
            pickup_at: cart.schedule.unwrap_or_default(),
            promo_code: code.unwrap_or_default(),
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
            items: convert_all(cart.lines),
            pickup: cart.pickup.try_into()?,
            promo: CartPromo {
                code: cart.promo_code,
                ..CartPromo::default()
            },
            promo_code: None,
            schedule: non_empty(cart.pickup_at),
            store_name: String::new(),
            store_address: String::new(),
            store_photo: String::new(),
            tax_rate: 0,
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

/// Prices a cart.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct PriceOrderRequest {
    pub(crate) cart: Cart,
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
        let display = saved.display.unwrap_or_default();
        let cart = saved.cart.map(Cart::try_from).transpose()?;
        Ok(Self {
            cart: cart.map(|cart| cart.with_display(display)),
            saved_at: non_empty(saved.saved_at),
        })
    }
}

/// The cart saved for a store, priced now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CartData {
    /// Null if no cart is saved for the store.
    #[schema(required)]
    pub(crate) cart: Option<Cart>,
    #[schema(required, format = DateTime)]
    pub(crate) saved_at: Option<String>,
    /// The current price of the cart without unavailable lines; null without a cart.
    #[schema(required)]
    pub(crate) quote: Option<Quote>,
    /// Changes since the cart was saved; up to one entry per line.
    pub(crate) changes: Vec<LineChange>,
}

impl TryFrom<ordering::CartData> for CartData {
    type Error = UnknownValue;

    fn try_from(data: ordering::CartData) -> Result<Self, UnknownValue> {
        let saved = SavedCart::try_from(data.saved.unwrap_or_default())?;
        Ok(Self {
            cart: saved.cart,
            saved_at: saved.saved_at,
            quote: data.quote.map(Quote::try_from).transpose()?,
            changes: try_convert_all(data.changes)?,
        })
    }
}

/// A change of a line since it was priced.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LineChange {
    /// Empty if the change concerns the whole cart.
    pub(crate) line_id: String,
    /// Empty if the name is unknown.
    pub(crate) item_name: String,
    /// Reason code: `PRICE_CHANGED`, `OPTIONS_CHANGED`, `CURBSIDE_UNAVAILABLE`, `TIP_OUT_OF_RANGE`, or why the line cannot
    /// be ordered, for example `ITEM_SOLD_OUT`.
    pub(crate) reason: String,
    /// The change as a sentence for the consumer.
    pub(crate) message: String,
    /// Previous unit price; null if it is unknown.
    #[schema(required)]
    pub(crate) before: Option<Money>,
    /// Current unit price; null if the line cannot be ordered.
    #[schema(required)]
    pub(crate) after: Option<Money>,
}

impl TryFrom<ordering::LineChange> for LineChange {
    type Error = UnknownValue;

    fn try_from(change: ordering::LineChange) -> Result<Self, UnknownValue> {
        let money = |amount: Option<values::Money>| amount.map(Money::try_from).transpose();
        Ok(Self {
            line_id: change.line_id,
            item_name: change.item_name,
            reason: change.reason,
            message: change.message,
            before: money(change.before)?,
            after: money(change.after)?,
        })
    }
}
