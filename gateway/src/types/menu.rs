//! Menus.

use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::art::Art;
use super::enums::{ItemKind, UnknownValue};
use super::money::Money;
use super::{convert_all, try_convert_all};

/// A category of a menu.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Category {
    pub(crate) category_id: String,
    pub(crate) name: String,
    pub(crate) item_count: u32,
}

impl From<stores::Category> for Category {
    fn from(category: stores::Category) -> Self {
        Self {
            category_id: category.category_id,
            name: category.name,
            item_count: category.item_count,
        }
    }
}

/// The categories of a store's menu.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CategoryList {
    /// In display order.
    pub(crate) categories: Vec<Category>,
}

impl From<stores::ListCategoriesResponse> for CategoryList {
    fn from(list: stores::ListCategoriesResponse) -> Self {
        Self {
            categories: convert_all(list.categories),
        }
    }
}

/// A store's menu, or one category of it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Menu {
    /// In display order.
    pub(crate) sections: Vec<MenuSection>,
}

impl TryFrom<stores::ListMenuResponse> for Menu {
    type Error = UnknownValue;

    fn try_from(menu: stores::ListMenuResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            sections: try_convert_all(menu.sections)?,
        })
    }
}

/// A category with its items.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MenuSection {
    pub(crate) category: Category,
    pub(crate) items: Vec<MenuItem>,
}

impl TryFrom<stores::MenuSection> for MenuSection {
    type Error = UnknownValue;

    fn try_from(section: stores::MenuSection) -> Result<Self, UnknownValue> {
        Ok(Self {
            category: section.category.unwrap_or_default().into(),
            items: try_convert_all(section.items)?,
        })
    }
}

/// An item in the menu.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MenuItem {
    pub(crate) item_id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    /// Price of the cheapest size that is not sold out, with its default choices.
    pub(crate) price_from: Money,
    pub(crate) sold_out: bool,
    /// Short detail shown with the name: "190 Cal".
    pub(crate) detail: String,
    pub(crate) art: Art,
    pub(crate) kind: ItemKind,
    pub(crate) allergens: Vec<String>,
}

impl TryFrom<stores::MenuItem> for MenuItem {
    type Error = UnknownValue;

    fn try_from(item: stores::MenuItem) -> Result<Self, UnknownValue> {
        Ok(Self {
            item_id: item.item_id,
            name: item.name,
            description: item.description,
            price_from: item.price_from.try_into()?,
            sold_out: item.sold_out,
            detail: item.detail,
            art: item.art.into(),
            kind: item.kind.as_str().try_into()?,
            allergens: item.allergens,
        })
    }
}

/// A menu, or one category of it.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct MenuQuery {
    /// The whole menu if absent.
    pub(crate) category_id: Option<String>,
    pub(crate) store_id: String,
}
