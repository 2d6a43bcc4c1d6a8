//! The cart, as the device and the server keep it.

use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::present;
use super::quote::LineProblem;
use super::words::Pickup;

/// What the consumer wants, where and when.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cart {
    /// Made by the client with the cart: at most one order that has not failed comes of one.
    #[serde(default)]
    #[schema(required)]
    pub cart_id: String,
    /// The store.
    pub store_id: String,
    /// What to make.
    pub lines: Vec<CartLine>,
    /// How it is picked up.
    #[serde(default)]
    #[schema(required)]
    pub pickup: Pickup,
    /// Wanted ready time; null for as soon as possible.
    #[schema(required, format = DateTime)]
    pub pickup_at: Option<String>,
    /// A code typed in; null without.
    #[schema(required)]
    pub promo_code: Option<String>,
    /// Cents.
    #[serde(default)]
    #[schema(required)]
    pub tip_amount: i64,
}

impl From<Cart> for ordering::Cart {
    fn from(cart: Cart) -> Self {
        Self {
            cart_id: cart.cart_id,
            store_id: cart.store_id,
            lines: cart.lines.into_iter().map(stores::CartLine::from).collect(),
            pickup: ordering::PickupKind::from(cart.pickup).into(),
            pickup_at: cart.pickup_at.unwrap_or_default(),
            promo_code: cart.promo_code.unwrap_or_default(),
            tip_minor_units: cart.tip_amount,
        }
    }
}

impl From<ordering::Cart> for Cart {
    fn from(cart: ordering::Cart) -> Self {
        Self {
            pickup: cart.pickup().into(),
            cart_id: cart.cart_id,
            store_id: cart.store_id,
            lines: cart.lines.into_iter().map(CartLine::from).collect(),
            pickup_at: present(cart.pickup_at),
            promo_code: present(cart.promo_code),
            tip_amount: cart.tip_minor_units,
        }
    }
}

/// One line: an item as customised, and how many of it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CartLine {
    /// Chosen by the client; unique in its cart.
    pub line_id: String,
    /// The item.
    pub item_id: String,
    /// Its size.
    pub size_id: String,
    /// How many.
    pub quantity: u32,
    /// What was chosen.
    #[serde(default)]
    #[schema(required)]
    pub choices: Vec<CartChoice>,
    /// For the person who makes it.
    #[serde(default)]
    #[schema(required)]
    pub note: String,
}

impl From<CartLine> for stores::CartLine {
    fn from(line: CartLine) -> Self {
        Self {
            line_id: line.line_id,
            item_id: line.item_id,
            size_id: line.size_id,
            quantity: line.quantity,
            choices: line.choices.into_iter().map(stores::CartChoice::from).collect(),
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
            choices: line.choices.into_iter().map(CartChoice::from).collect(),
            note: line.note,
        }
    }
}

/// One choice and how many of it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CartChoice {
    /// The group.
    pub modification_id: String,
    /// The choice.
    pub choice_id: String,
    /// How many; 0 leaves out what the item comes with.
    pub quantity: u32,
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

/// The cart to keep on the server.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SaveCartRequest {
    /// It.
    pub cart: Cart,
}

/// The cart that the server keeps.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedCart {
    /// Null when none is kept.
    #[schema(required)]
    pub cart: Option<Cart>,
    /// Since when.
    #[schema(required, format = DateTime)]
    pub saved_at: Option<String>,
}

impl From<ordering::SavedCart> for SavedCart {
    fn from(saved: ordering::SavedCart) -> Self {
        Self {
            cart: saved.cart.map(Cart::from),
            saved_at: present(saved.saved_at),
        }
    }
}

/// An earlier order as a new cart.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepeatedOrder {
    /// What can be had again.
    pub cart: Cart,
    /// What cannot, and why.
    pub problems: Vec<LineProblem>,
    /// Something costs another price now.
    pub price_changed: bool,
}

impl From<ordering::RepeatOrderResponse> for RepeatedOrder {
    fn from(repeated: ordering::RepeatOrderResponse) -> Self {
        Self {
            cart: repeated.cart.unwrap_or_default().into(),
            problems: repeated.problems.into_iter().map(LineProblem::from).collect(),
            price_changed: repeated.price_changed,
        }
    }
}
