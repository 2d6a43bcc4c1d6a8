//! Usual items.

use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::art::Art;
use super::cart::CartChoice;
use super::enums::{ItemKind, UnknownValue};
use super::money::Money;
use super::quote::{LineProblem, OrderChoice};
use super::{convert_all, try_convert_all};

/// An item that the consumer saved with its customization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UsualItem {
    pub(crate) usual_item_id: String,
    /// The store for which price and availability are given.
    pub(crate) store_id: String,
    pub(crate) store_name: String,
    /// Chosen by the consumer, or the name of the item.
    pub(crate) name: String,
    pub(crate) item_id: String,
    pub(crate) size_id: String,
    /// As on a cart line.
    pub(crate) choices: Vec<CartChoice>,
    /// For the barista.
    pub(crate) note: String,
    /// The item with its price now; null if it can no longer be made this way. Present if it is sold out.
    #[schema(required)]
    pub(crate) line: Option<UsualItemLine>,
    /// Why it cannot be ordered now; null if it can.
    #[schema(required)]
    pub(crate) problem: Option<LineProblem>,
}

impl TryFrom<stores::UsualItem> for UsualItem {
    type Error = UnknownValue;

    fn try_from(item: stores::UsualItem) -> Result<Self, UnknownValue> {
        Ok(Self {
            usual_item_id: item.usual_item_id,
            store_id: item.store_id,
            store_name: item.store_name,
            name: item.name,
            item_id: item.item_id,
            size_id: item.size_id,
            choices: convert_all(item.choices),
            note: item.note,
            line: item.line.map(UsualItemLine::try_from).transpose()?,
            problem: item.problem.map(LineProblem::from),
        })
    }
}

/// A usual item as it is made and priced now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UsualItemLine {
    pub(crate) item_name: String,
    pub(crate) size_name: String,
    pub(crate) kind: ItemKind,
    pub(crate) art: Art,
    /// Price of one, with its choices.
    pub(crate) unit_price: Money,
    /// All choices, with the defaults.
    pub(crate) choices: Vec<OrderChoice>,
}

impl TryFrom<stores::ResolvedLine> for UsualItemLine {
    type Error = UnknownValue;

    fn try_from(line: stores::ResolvedLine) -> Result<Self, UnknownValue> {
        Ok(Self {
            item_name: line.item_name,
            size_name: line.size_name,
            kind: line.kind.as_str().try_into()?,
            art: line.art.into(),
            unit_price: line.unit_price.try_into()?,
            choices: try_convert_all(line.choices)?,
        })
    }
}

/// The consumer's usual items.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UsualItemList {
    /// Newest first.
    pub(crate) items: Vec<UsualItem>,
}

impl TryFrom<stores::ListUsualItemsResponse> for UsualItemList {
    type Error = UnknownValue;

    fn try_from(list: stores::ListUsualItemsResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            items: try_convert_all(list.items)?,
        })
    }
}

/// Usual items at a store.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct UsualItemsQuery {
    /// Only items on the menu of this store, with its prices. All usual items if absent, each with the prices of the store
    /// where it was saved.
    pub(crate) store_id: Option<String>,
}

/// Saves an item with its customization.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddUsualItemRequest {
    pub(crate) store_id: String,
    pub(crate) item_id: String,
    pub(crate) size_id: String,
    #[serde(default)]
    pub(crate) choices: Vec<CartChoice>,
    /// For the barista.
    #[serde(default)]
    pub(crate) note: String,
    /// The name of the item if empty.
    #[serde(default)]
    pub(crate) name: String,
}

impl From<AddUsualItemRequest> for stores::AddUsualItemRequest {
    fn from(request: AddUsualItemRequest) -> Self {
        Self {
            store_id: request.store_id,
            item_id: request.item_id,
            size_id: request.size_id,
            choices: convert_all(request.choices),
            note: request.note,
            name: request.name,
        }
    }
}

/// Deletes a usual item.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeleteUsualItemRequest {
    pub(crate) usual_item_id: String,
}
