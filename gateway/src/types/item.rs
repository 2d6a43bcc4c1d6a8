//! One item of a menu: sizes, and groups of choices.

use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::art::Art;
use super::money::Money;
use super::words::ItemKind;

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
