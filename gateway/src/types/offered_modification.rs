//! One modification or choice of an item, at one size.

use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::enums::UnknownValue;
use super::item::{Choice, Modification, Size};

/// A modification of an item, with the prices of one size.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfferedModification {
    pub(crate) item_id: String,
    pub(crate) item_name: String,
    pub(crate) size: Size,
    /// `prices` and `calories` of its choices are those of the size.
    pub(crate) modification: Modification,
}

impl TryFrom<stores::OfferedModification> for OfferedModification {
    type Error = UnknownValue;

    fn try_from(offered: stores::OfferedModification) -> Result<Self, UnknownValue> {
        Ok(Self {
            item_id: offered.item_id,
            item_name: offered.item_name,
            size: offered.size.unwrap_or_default().try_into()?,
            modification: offered.modification.unwrap_or_default().try_into()?,
        })
    }
}

/// A choice of a modification, with the price of one size.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfferedChoice {
    pub(crate) item_id: String,
    pub(crate) item_name: String,
    pub(crate) size: Size,
    pub(crate) modification_id: String,
    pub(crate) modification_name: String,
    /// `prices` and `calories` are those of the size.
    pub(crate) choice: Choice,
}

impl TryFrom<stores::OfferedChoice> for OfferedChoice {
    type Error = UnknownValue;

    fn try_from(offered: stores::OfferedChoice) -> Result<Self, UnknownValue> {
        Ok(Self {
            item_id: offered.item_id,
            item_name: offered.item_name,
            size: offered.size.unwrap_or_default().try_into()?,
            modification_id: offered.modification_id,
            modification_name: offered.modification_name,
            choice: offered.choice.unwrap_or_default().try_into()?,
        })
    }
}

/// A modification of the item that has the size.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct ModificationQuery {
    pub(crate) size_id: String,
    pub(crate) modification_id: String,
    pub(crate) store_id: String,
}

impl From<ModificationQuery> for stores::GetModificationRequest {
    fn from(query: ModificationQuery) -> Self {
        Self {
            store_id: query.store_id,
            size_id: query.size_id,
            modification_id: query.modification_id,
        }
    }
}

/// A choice of a modification of the item that has the size.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct ModificationChoiceQuery {
    pub(crate) modification_id: String,
    pub(crate) choice_id: String,
    pub(crate) size_id: String,
    pub(crate) store_id: String,
}

impl From<ModificationChoiceQuery> for stores::GetModificationChoiceRequest {
    fn from(query: ModificationChoiceQuery) -> Self {
        Self {
            store_id: query.store_id,
            size_id: query.size_id,
            modification_id: query.modification_id,
            choice_id: query.choice_id,
        }
    }
}
