//! Menus: categories, items, sizes, groups of choices.

use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::money::Money;
use super::words::ItemKind;

/// Parameters of a drawing: an object that only the web app reads. Passed on without being taken apart.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Art(Box<RawValue>);

impl Art {
    /// What a service sent, or an empty object where that is none.
    pub(crate) fn of(text: String) -> Self {
        let object = if text.starts_with('{') {
            RawValue::from_string(text).ok()
        } else {
            None
        };
        Self(object.unwrap_or_else(|| RawValue::from_string("{}".to_owned()).unwrap_or_default()))
    }
}

impl PartialSchema for Art {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new()
            .description(Some("Parameters of a drawing"))
            .additional_properties(Some(AdditionalProperties::FreeForm(true)));
        Schema::Object(object.build()).into()
    }
}

impl ToSchema for Art {}

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
    /// One fact: "190 kcal".
    pub fact: String,
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
            fact: item.fact,
            art: Art::of(item.art),
            kind: ItemKind::of(&item.kind),
            allergens: item.allergens,
        }
    }
}

/// An item with everything that can be chosen.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Its id.
    pub item_id: String,
    /// The category it stands in.
    pub category_id: String,
    /// Its name.
    pub name: String,
    /// A sentence.
    pub description: String,
    /// Drink or food.
    pub kind: ItemKind,
    /// Its drawing.
    pub art: Art,
    /// Allergens it contains as it comes.
    pub allergens: Vec<String>,
    /// None can be had now.
    pub sold_out: bool,
    /// Smallest first.
    pub sizes: Vec<Size>,
    /// Groups of choices, in order.
    pub modifications: Vec<Modification>,
}

impl From<stores::Item> for Item {
    fn from(item: stores::Item) -> Self {
        Self {
            item_id: item.item_id,
            category_id: item.category_id,
            name: item.name,
            description: item.description,
            kind: ItemKind::of(&item.kind),
            art: Art::of(item.art),
            allergens: item.allergens,
            sold_out: item.sold_out,
            sizes: item.sizes.into_iter().map(Size::from).collect(),
            modifications: item.modifications.into_iter().map(Modification::from).collect(),
        }
    }
}

/// The sizes of an item.
#[derive(Debug, Serialize, ToSchema)]
pub struct SizeList {
    /// Smallest first.
    pub sizes: Vec<Size>,
}

/// The groups of choices of an item.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModificationList {
    /// In order.
    pub modifications: Vec<Modification>,
}

/// A size.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Size {
    /// Its id.
    pub size_id: String,
    /// Its name.
    pub name: String,
    /// Fluid ounces; 0 for food.
    pub ounces: u32,
    /// As it comes.
    pub price: Money,
    /// As it comes.
    pub calories: u32,
    /// As it comes.
    pub caffeine_mg: u32,
    /// None can be had now.
    pub sold_out: bool,
    /// The one chosen unless told.
    pub is_default: bool,
}

impl From<stores::Size> for Size {
    fn from(size: stores::Size) -> Self {
        Self {
            size_id: size.size_id,
            name: size.name,
            ounces: size.ounces,
            price: size.price.into(),
            calories: size.calories,
            caffeine_mg: size.caffeine_mg,
            sold_out: size.sold_out,
            is_default: size.is_default,
        }
    }
}

/// A group of choices: milk, syrup, ice. Limits count quantities.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Modification {
    /// Its id.
    pub modification_id: String,
    /// Its name.
    pub name: String,
    /// At least so many.
    pub min: u32,
    /// At most so many.
    pub max: u32,
    /// So many cost nothing.
    pub included: u32,
    /// In order.
    pub choices: Vec<Choice>,
}

impl From<stores::Modification> for Modification {
    fn from(group: stores::Modification) -> Self {
        Self {
            modification_id: group.modification_id,
            name: group.name,
            min: group.min,
            max: group.max,
            included: group.included,
            choices: group.choices.into_iter().map(Choice::from).collect(),
        }
    }
}

/// One choice of a group.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// Its id.
    pub choice_id: String,
    /// Its name.
    pub name: String,
    /// What one costs, size by size.
    pub prices: Vec<SizePrice>,
    /// At most so many of it.
    pub max_quantity: u32,
    /// So many unless told.
    pub default_quantity: u32,
    /// None can be had now.
    pub sold_out: bool,
    /// Allergens it adds.
    pub allergens: Vec<String>,
    /// What it does in the drawing: "milk:oat".
    pub art_key: String,
    /// What one adds where its size says nothing else.
    pub calories: i32,
}

impl From<stores::Choice> for Choice {
    fn from(choice: stores::Choice) -> Self {
        Self {
            choice_id: choice.choice_id,
            name: choice.name,
            prices: choice.prices.into_iter().map(SizePrice::from).collect(),
            max_quantity: choice.max_quantity,
            default_quantity: choice.default_quantity,
            sold_out: choice.sold_out,
            allergens: choice.allergens,
            art_key: choice.art_key,
            calories: choice.calories,
        }
    }
}

/// What one of a choice costs at a size.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SizePrice {
    /// The size.
    pub size_id: String,
    /// Its price.
    pub price: Money,
    /// What it adds.
    pub calories: i32,
}

impl From<stores::SizePrice> for SizePrice {
    fn from(price: stores::SizePrice) -> Self {
        Self {
            size_id: price.size_id,
            price: price.price.into(),
            calories: price.calories,
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

/// One item.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub struct ItemQuery {
    /// The item.
    pub item_id: String,
    /// The store.
    pub store_id: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn art_is_an_object_whatever_was_sent() {
        for (sent, answered) in [
            (r#"{"vessel":"cup"}"#, r#"{"vessel":"cup"}"#),
            ("", "{}"),
            ("{broken", "{}"),
            ("[1]", "{}"),
        ] {
            assert_eq!(serde_json::to_string(&Art::of(sent.into())).unwrap(), answered);
        }
    }
}
