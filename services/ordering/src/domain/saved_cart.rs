//! Saved carts, and previous orders as carts.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    cart::CartDraft,
    line::OrderLine,
    line_change::LineChange,
    quote::{LineProblem, Quote},
};

/// The prices of a saved cart when it was saved. The field names are the stored JSON format of `saved_carts.snapshot`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CartSnapshot {
    pub store_name: String,
    pub store_address: String,
    pub tax_rate_ppm: i64,
    /// Discount of the promo code in cents.
    pub promo_minor_units: i64,
    /// Lines that could not be ordered are absent.
    pub lines: Vec<OrderLine>,
}

impl CartSnapshot {
    #[must_use]
    pub fn of(quote: Quote) -> Self {
        Self {
            store_address: quote.store.address(),
            store_name: quote.store.name,
            tax_rate_ppm: quote.store.tax_rate_ppm,
            promo_minor_units: quote.totals.discount.minor_units(),
            lines: quote.lines,
        }
    }
}

/// The server's copy of a consumer's cart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedCart {
    pub draft: CartDraft,
    /// Absent if the cart could not be priced when it was saved.
    pub snapshot: Option<CartSnapshot>,
    pub saved_at: Timestamp,
}

/// A saved cart, priced now.
#[derive(Debug, Clone, PartialEq)]
pub struct CartData {
    pub saved: SavedCart,
    pub quote: Quote,
    /// Changes since the cart was saved.
    pub changes: Vec<LineChange>,
}

/// The lines of a previous order that can be ordered again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedOrder {
    pub cart: CartDraft,
    pub problems: Vec<LineProblem>,
    /// Changes since the order, including the problems.
    pub changes: Vec<LineChange>,
}
