//! Saved carts, and previous orders as carts.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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

impl SavedCart {
    /// Reads the stored JSON. Returns `None` if the cart cannot be read or priced: previous releases saved carts without
    /// checking them. A snapshot that cannot be read is left out, as if the cart had been saved without prices.
    #[must_use]
    pub fn from_stored(cart: Value, snapshot: Option<Value>, saved_at: Timestamp) -> Option<Self> {
        let draft: CartDraft = serde_json::from_value(cart)
            .inspect_err(|error| tracing::warn!(%error, "saved cart not read"))
            .ok()?;
        draft
            .clone()
            .parse()
            .inspect_err(|error| tracing::info!(%error, "invalid saved cart ignored"))
            .ok()?;
        let snapshot = snapshot.and_then(|snapshot| {
            serde_json::from_value(snapshot)
                .inspect_err(|error| tracing::warn!(%error, "prices of a saved cart not read"))
                .ok()
        });
        Some(Self {
            draft,
            snapshot,
            saved_at,
        })
    }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn stored(field: &str, value: Value) -> Value {
        let mut cart = json!({
            "cart_id": "c-1", "store_id": "str_01h455vb4pex5vsknk084sn02q", "pickup": 1, "pickup_at": "",
            "promo_code": "", "tip_minor_units": 0, "lines": [{"line_id": "1", "item_id": "itm_1",
            "size_id": "siz_1", "quantity": 1, "choices": [], "note": ""}]
        });
        cart[field] = value;
        cart
    }

    fn read(cart: Value, snapshot: Option<Value>) -> Option<SavedCart> {
        SavedCart::from_stored(cart, snapshot, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn a_stored_cart_that_cannot_be_priced_counts_as_absent() {
        assert!(read(stored("cart_id", json!("c-1")), None).is_some());
        for (field, value) in [
            ("store_id", json!("str_1")),
            ("pickup_at", json!("soon")),
            ("pickup", json!(3)),
            ("tip_minor_units", json!(-1)),
            ("tip_minor_units", json!("1")),
            ("lines", json!([])),
            ("lines", json!([{"line_id": "1"}])),
        ] {
            assert_eq!(read(stored(field, value.clone()), None), None, "{field}: {value}");
        }
        assert_eq!(read(json!([]), None), None);
    }

    #[test]
    fn a_stored_cart_with_an_unreadable_snapshot_has_no_prices() {
        let saved = read(stored("cart_id", json!("c-1")), Some(json!({"lines": 1}))).unwrap();
        assert_eq!(saved.snapshot, None);
    }
}
