//! The menu of a store as its staff see it: what can be sold out, without prices.

use proto::stores::v1 as stores;
use serde::Serialize;
use utoipa::ToSchema;

use super::convert_all;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreMenu {
    pub(crate) sections: Vec<StoreMenuSection>,
    pub(crate) modifications: Vec<StoreMenuModification>,
}

impl From<stores::StoreMenu> for StoreMenu {
    fn from(menu: stores::StoreMenu) -> Self {
        Self {
            sections: convert_all(menu.sections),
            modifications: convert_all(menu.modifications),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreMenuSection {
    pub(crate) category_id: String,
    pub(crate) name: String,
    pub(crate) items: Vec<StoreMenuItem>,
}

impl From<stores::StoreMenuSection> for StoreMenuSection {
    fn from(section: stores::StoreMenuSection) -> Self {
        Self {
            category_id: section.category_id,
            name: section.name,
            items: convert_all(section.items),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreMenuItem {
    pub(crate) item_id: String,
    pub(crate) name: String,
    /// In every size.
    pub(crate) sold_out: bool,
    pub(crate) sizes: Vec<StoreMenuOption>,
}

impl From<stores::StoreMenuItem> for StoreMenuItem {
    fn from(item: stores::StoreMenuItem) -> Self {
        Self {
            item_id: item.item_id,
            name: item.name,
            sold_out: item.sold_out,
            sizes: convert_all(item.sizes),
        }
    }
}

/// A group of choices, such as milk.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreMenuModification {
    pub(crate) modification_id: String,
    pub(crate) name: String,
    /// For every item.
    pub(crate) choices: Vec<StoreMenuOption>,
}

impl From<stores::StoreMenuModification> for StoreMenuModification {
    fn from(modification: stores::StoreMenuModification) -> Self {
        Self {
            modification_id: modification.modification_id,
            name: modification.name,
            choices: convert_all(modification.choices),
        }
    }
}

/// A size or a choice.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreMenuOption {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) sold_out: bool,
}

impl From<stores::StoreMenuOption> for StoreMenuOption {
    fn from(option: stores::StoreMenuOption) -> Self {
        Self {
            id: option.id,
            name: option.name,
            sold_out: option.sold_out,
        }
    }
}
