//! A previous order as a new cart.

use proto::ordering::v1 as ordering;
use serde::Serialize;
use utoipa::ToSchema;

use super::cart::{Cart, LineChange};
use super::enums::UnknownValue;
use super::quote::LineProblem;
use super::{convert_all, try_convert_all};

/// A previous order as a new cart.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RepeatedOrder {
    /// The lines that are still available.
    pub(crate) cart: Cart,
    /// The lines that are unavailable.
    pub(crate) problems: Vec<LineProblem>,
    /// Whether the price of a line has changed.
    pub(crate) price_changed: bool,
    /// Changes since the order, including unavailable lines; up to one entry per line.
    pub(crate) changes: Vec<LineChange>,
}

impl TryFrom<ordering::RepeatOrderResponse> for RepeatedOrder {
    type Error = UnknownValue;

    fn try_from(repeated: ordering::RepeatOrderResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            cart: repeated.cart.unwrap_or_default().try_into()?,
            problems: convert_all(repeated.problems),
            price_changed: repeated.price_changed,
            changes: try_convert_all(repeated.changes)?,
        })
    }
}
