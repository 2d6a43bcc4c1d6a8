//! A menu item with its sizes and modifications.

use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::art::Art;
use super::enums::{ItemKind, UnknownValue};
use super::money::Money;
use super::try_convert_all;

/// A menu item with its sizes and modifications.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Item {
    pub(crate) item_id: String,
    pub(crate) category_id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) kind: ItemKind,
    pub(crate) art: Art,
    /// Allergens of the item with its default choices.
    pub(crate) allergens: Vec<String>,
    pub(crate) sold_out: bool,
    /// Smallest first.
    pub(crate) sizes: Vec<Size>,
    /// In display order.
    pub(crate) modifications: Vec<Modification>,
}

impl TryFrom<stores::Item> for Item {
    type Error = UnknownValue;

    fn try_from(item: stores::Item) -> Result<Self, UnknownValue> {
        Ok(Self {
            item_id: item.item_id,
            category_id: item.category_id,
            name: item.name,
            description: item.description,
            kind: item.kind.as_str().try_into()?,
            art: item.art.into(),
            allergens: item.allergens,
            sold_out: item.sold_out,
            sizes: try_convert_all(item.sizes)?,
            modifications: try_convert_all(item.modifications)?,
        })
    }
}

/// The sizes of an item.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SizeList {
    /// Smallest first.
    pub(crate) sizes: Vec<Size>,
}

impl TryFrom<stores::Item> for SizeList {
    type Error = UnknownValue;

    fn try_from(item: stores::Item) -> Result<Self, UnknownValue> {
        Ok(Self {
            sizes: try_convert_all(item.sizes)?,
        })
    }
}

/// The modifications of an item.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModificationList {
    /// In display order.
    pub(crate) modifications: Vec<Modification>,
}

impl TryFrom<stores::Item> for ModificationList {
    type Error = UnknownValue;

    fn try_from(item: stores::Item) -> Result<Self, UnknownValue> {
        Ok(Self {
            modifications: try_convert_all(item.modifications)?,
        })
    }
}

/// A size of an item. Price, calories and caffeine are those of the item with its default choices.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Size {
    pub(crate) size_id: String,
    pub(crate) name: String,
    /// Fluid ounces; 0 for food.
    pub(crate) ounces: u32,
    pub(crate) price: Money,
    pub(crate) calories: u32,
    pub(crate) caffeine_mg: u32,
    pub(crate) sold_out: bool,
    pub(crate) is_default: bool,
}

impl TryFrom<stores::Size> for Size {
    type Error = UnknownValue;

    fn try_from(size: stores::Size) -> Result<Self, UnknownValue> {
        Ok(Self {
            size_id: size.size_id,
            name: size.name,
            ounces: size.ounces,
            price: size.price.try_into()?,
            calories: size.calories,
            caffeine_mg: size.caffeine_mg,
            sold_out: size.sold_out,
            is_default: size.is_default,
        })
    }
}

/// A group of choices: milk, syrup, ice. Its limits count quantities.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Modification {
    pub(crate) modification_id: String,
    pub(crate) name: String,
    /// Smallest number of choices.
    pub(crate) min: u32,
    /// Largest number of choices.
    pub(crate) max: u32,
    /// Number of choices that are free: the cheapest ones chosen.
    pub(crate) included: u32,
    /// In display order.
    pub(crate) choices: Vec<Choice>,
}

impl TryFrom<stores::Modification> for Modification {
    type Error = UnknownValue;

    fn try_from(modification: stores::Modification) -> Result<Self, UnknownValue> {
        Ok(Self {
            modification_id: modification.modification_id,
            name: modification.name,
            min: modification.min,
            max: modification.max,
            included: modification.included,
            choices: try_convert_all(modification.choices)?,
        })
    }
}

/// A choice of a modification.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Choice {
    pub(crate) choice_id: String,
    pub(crate) name: String,
    /// Price of one, by size.
    pub(crate) prices: Vec<SizePrice>,
    pub(crate) max_quantity: u32,
    pub(crate) default_quantity: u32,
    pub(crate) sold_out: bool,
    /// Allergens that the choice adds.
    pub(crate) allergens: Vec<String>,
    /// Effect in the drawing: "milk:oat".
    pub(crate) art_key: String,
    /// Calories that one adds to the default size. `prices` has the calories by size.
    pub(crate) calories: i32,
}

impl TryFrom<stores::Choice> for Choice {
    type Error = UnknownValue;

    fn try_from(choice: stores::Choice) -> Result<Self, UnknownValue> {
        Ok(Self {
            choice_id: choice.choice_id,
            name: choice.name,
            prices: try_convert_all(choice.prices)?,
            max_quantity: choice.max_quantity,
            default_quantity: choice.default_quantity,
            sold_out: choice.sold_out,
            allergens: choice.allergens,
            art_key: choice.art_key,
            calories: choice.calories,
        })
    }
}

/// Price and calories of one choice at a size.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SizePrice {
    pub(crate) size_id: String,
    pub(crate) price: Money,
    /// Calories that one adds.
    pub(crate) calories: i32,
}

impl TryFrom<stores::SizePrice> for SizePrice {
    type Error = UnknownValue;

    fn try_from(price: stores::SizePrice) -> Result<Self, UnknownValue> {
        Ok(Self {
            size_id: price.size_id,
            price: price.price.try_into()?,
            calories: price.calories,
        })
    }
}

/// An item at a store.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct ItemQuery {
    pub(crate) item_id: String,
    pub(crate) store_id: String,
}

impl From<ItemQuery> for stores::GetItemRequest {
    fn from(query: ItemQuery) -> Self {
        Self {
            store_id: query.store_id,
            item_id: query.item_id,
        }
    }
}
