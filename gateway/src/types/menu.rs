//! Menus: sections of items.

use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::art::Art;
use super::money::Money;
use super::words::ItemKind;

/// A category of a menu.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Category {
    /// Its id.
    pub category_id: String,
    /// Its name.
    pub name: String,
    /// How many items it has.
    pub item_count: u32,
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

/// The categories of a store's menu, in order.
#[derive(Debug, Serialize, ToSchema)]
pub struct CategoryList {
    /// The categories.
    pub categories: Vec<Category>,
}

impl From<stores::ListCategoriesResponse> for CategoryList {
    fn from(list: stores::ListCategoriesResponse) -> Self {
        Self {
            categories: list.categories.into_iter().map(Category::from).collect(),
        }
    }
}

/// A store's menu, or one category of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Menu {
    /// Section by section.
    pub sections: Vec<MenuSection>,
}

impl From<stores::ListMenuResponse> for Menu {
    fn from(menu: stores::ListMenuResponse) -> Self {
        Self {
            sections: menu.sections.into_iter().map(MenuSection::from).collect(),
        }
    }
}

/// One category with its items.
#[derive(Debug, Serialize, ToSchema)]
pub struct MenuSection {
    /// The category.
    pub category: Category,
    /// Its items.
    pub items: Vec<MenuItem>,
}

impl From<stores::MenuSection> for MenuSection {
    fn from(section: stores::MenuSection) -> Self {
        Self {
            category: section.category.unwrap_or_default().into(),
            items: section.items.into_iter().map(MenuItem::from).collect(),
        }
    }
}

/// An item in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MenuItem {
    /// Its id.
    pub item_id: String,
    /// Its name.
    pub name: String,
    /// A sentence.
    pub description: String,
    /// The smallest size's price.
    pub price_from: Money,
    /// None can be had now.
    pub sold_out: bool,
    /// Short detail shown with the name: "190 kcal".
    pub detail: String,
    /// Its drawing.
    pub art: Art,
    /// Drink or food.
    pub kind: ItemKind,
    /// Allergens it contains.
    pub allergens: Vec<String>,
}

impl From<stores::MenuItem> for MenuItem {
    fn from(item: stores::MenuItem) -> Self {
        Self {
            item_id: item.item_id,
            name: item.name,
            description: item.description,
            price_from: item.price_from.into(),
            sold_out: item.sold_out,
            detail: item.detail,
            art: Art::of(item.art),
            kind: ItemKind::of(&item.kind),
            allergens: item.allergens,
        }
    }
}

/// A menu or one category of it.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub struct MenuQuery {
    /// The category; the whole menu where absent.
    pub category_id: Option<String>,
    /// The store.
    pub store_id: String,
}
