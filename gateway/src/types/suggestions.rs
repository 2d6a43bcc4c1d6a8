//! Items that a store suggests.

use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::enums::UnknownValue;
use super::menu::MenuItem;
use super::try_convert_all;

/// Items of a menu that are available.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SuggestedItems {
    /// Best first.
    pub(crate) items: Vec<MenuItem>,
}

impl TryFrom<stores::ListTopOrderedResponse> for SuggestedItems {
    type Error = UnknownValue;

    fn try_from(list: stores::ListTopOrderedResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            items: try_convert_all(list.items)?,
        })
    }
}

impl TryFrom<stores::ListUpsellItemsResponse> for SuggestedItems {
    type Error = UnknownValue;

    fn try_from(list: stores::ListUpsellItemsResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            items: try_convert_all(list.items)?,
        })
    }
}

/// A cart at a store.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct UpsellItemsQuery {
    pub(crate) store_id: String,
    /// The items of the cart, separated by commas.
    pub(crate) item_ids: Option<String>,
}

impl From<UpsellItemsQuery> for stores::ListUpsellItemsRequest {
    fn from(query: UpsellItemsQuery) -> Self {
        let mut item_ids: Vec<String> = query
            .item_ids
            .unwrap_or_default()
            .split(',')
            .filter(|id| !id.is_empty())
            .map(str::to_owned)
            .collect();
        // Equal carts are equal requests, so that they share a cached response.
        item_ids.sort_unstable();
        item_ids.dedup();
        Self {
            store_id: query.store_id,
            item_ids,
        }
    }
}
