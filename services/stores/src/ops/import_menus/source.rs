//! The contents of the files. `deploy/seed/menu.json` and `companies.json` are examples.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::domain::menu::{CupSize, ItemKind};

/// The parts from which the menus of all companies are built.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MenuSource {
    /// Named sets of sizes.
    pub(super) cups: BTreeMap<String, CupsSource>,
    pub(super) modifications: Vec<ModificationSource>,
    /// Named sets of modifications.
    pub(super) options: BTreeMap<String, Vec<ItemModificationSource>>,
    /// In display order.
    pub(super) categories: Vec<CategorySource>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CupsSource {
    pub(super) default: CupSize,
    /// Name and fluid ounces of each.
    pub(super) sizes: BTreeMap<CupSize, (String, u32)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModificationSource {
    pub(super) key: String,
    pub(super) name: String,
    /// In display order.
    pub(super) choices: Vec<ChoiceSource>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ChoiceSource {
    pub(super) key: String,
    pub(super) name: String,
    /// The maximum for one item.
    #[serde(default = "one")]
    pub(super) max: u32,
    #[serde(default)]
    pub(super) art_key: String,
    /// Cents per unit.
    #[serde(default)]
    pub(super) price: BySize,
    /// Calories per unit.
    #[serde(default)]
    pub(super) calories: BySize,
    #[serde(default)]
    pub(super) allergens: Vec<String>,
}

const fn one() -> u32 {
    1
}

/// One number for all cup sizes, or one for each.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum BySize {
    Same(i32),
    /// 0 for a cup size that is not listed.
    Each(BTreeMap<CupSize, i32>),
}

impl Default for BySize {
    fn default() -> Self {
        Self::Same(0)
    }
}

impl BySize {
    pub(super) fn at(&self, cup_size: CupSize) -> i32 {
        match self {
            Self::Same(number) => *number,
            Self::Each(numbers) => numbers.get(&cup_size).copied().unwrap_or_default(),
        }
    }
}

/// A modification in a set of options.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ItemModificationSource {
    pub(super) modification: String,
    pub(super) min: u32,
    pub(super) max: u32,
    #[serde(default)]
    pub(super) included: u32,
    /// Default quantities by choice.
    #[serde(default)]
    pub(super) default: BTreeMap<String, u32>,
}

/// Changes of one item to its set of options.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AdjustmentSource {
    #[serde(default)]
    pub(super) included: u32,
    /// Default quantities by choice.
    pub(super) default: BTreeMap<String, u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CategorySource {
    pub(super) key: String,
    pub(super) name: String,
    /// In display order.
    pub(super) items: Vec<ItemSource>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ItemSource {
    pub(super) key: String,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) kind: ItemKind,
    /// Key of a set of sizes.
    pub(super) cups: String,
    /// Cents, calories and milligrams of caffeine of each size.
    pub(super) sizes: BTreeMap<CupSize, (i64, u32, u32)>,
    /// Key of a set of options.
    pub(super) options: String,
    /// Changes to the options, by modification.
    #[serde(default)]
    pub(super) adjust: BTreeMap<String, AdjustmentSource>,
    pub(super) make_seconds: u32,
    pub(super) art: serde_json::Value,
    #[serde(default)]
    pub(super) allergens: Vec<String>,
}

/// A company and its changes to the menu.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct CompanySource {
    pub(super) key: String,
    pub(super) name: String,
    pub(super) description: String,
    /// Added to the common prices.
    pub(super) surcharge_cents: SurchargeSource,
    /// The company's own names and descriptions, by item.
    pub(super) rename: BTreeMap<String, (String, String)>,
    /// Items that the company does not sell.
    pub(super) omit: Vec<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SurchargeSource {
    pub(super) drink: i64,
    pub(super) food: i64,
}
