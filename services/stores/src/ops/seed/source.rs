//! The files of `deploy/seed`, as they stand.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::domain::menu::{Kind, Scale};

/// `menu.json`: what all companies' menus are made from.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MenuSource {
    /// Sets of sizes that items come in.
    pub cups: BTreeMap<String, Cups>,
    /// Groups of choices.
    pub modifications: Vec<ModificationSource>,
    /// Sets of groups that items offer.
    pub options: BTreeMap<String, Vec<GroupSource>>,
    /// The menu, in order.
    pub categories: Vec<CategorySource>,
}

/// A set of sizes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cups {
    /// The one that is taken unless the consumer says otherwise.
    pub default: Scale,
    /// Name and fluid ounces of each.
    pub sizes: BTreeMap<Scale, (String, u32)>,
}

/// A group of choices.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModificationSource {
    /// What options call it.
    pub key: String,
    /// What people call it.
    pub name: String,
    /// In order.
    pub choices: Vec<ChoiceSource>,
}

/// A choice.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ChoiceSource {
    /// What defaults call it.
    pub key: String,
    /// What people call it.
    pub name: String,
    /// The most of it that one item takes.
    #[serde(default = "one")]
    pub max: u32,
    /// What it does in the drawing.
    #[serde(default)]
    pub art_key: String,
    /// Cents that one costs.
    #[serde(default)]
    pub price: ByScale,
    /// Calories that one adds.
    #[serde(default)]
    pub calories: ByScale,
    /// What it brings in.
    #[serde(default)]
    pub allergens: Vec<String>,
}

const fn one() -> u32 {
    1
}

/// One number for all cups, or one for each.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum ByScale {
    /// The same in every cup.
    Same(i32),
    /// By cup; 0 where a cup is not listed.
    Each(BTreeMap<Scale, i32>),
}

impl Default for ByScale {
    fn default() -> Self {
        Self::Same(0)
    }
}

impl ByScale {
    /// The number for a cup.
    pub fn of(&self, scale: Scale) -> i32 {
        match self {
            Self::Same(number) => *number,
            Self::Each(numbers) => numbers.get(&scale).copied().unwrap_or_default(),
        }
    }
}

/// A group as a set of options has it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupSource {
    /// Which group.
    pub of: String,
    /// How many must be taken.
    pub min: u32,
    /// How many may be taken.
    pub max: u32,
    /// How many cost nothing.
    #[serde(default)]
    pub included: u32,
    /// What is taken unless the consumer says otherwise.
    #[serde(default)]
    pub default: BTreeMap<String, u32>,
}

/// What one item has otherwise than its options say.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjustment {
    /// How many cost nothing.
    #[serde(default)]
    pub included: u32,
    /// What is taken unless the consumer says otherwise.
    pub default: BTreeMap<String, u32>,
}

/// A part of the menu.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CategorySource {
    /// What its id is made from.
    pub key: String,
    /// What people call it.
    pub name: String,
    /// In order.
    pub items: Vec<ItemSource>,
}

/// An item.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ItemSource {
    /// What its id is made from, and what companies call it.
    pub key: String,
    /// What people call it.
    pub name: String,
    /// A sentence about it.
    pub description: String,
    /// Drink or food.
    pub kind: Kind,
    /// Which set of sizes.
    pub cups: String,
    /// Cents, calories and milligrams of caffeine in each.
    pub sizes: BTreeMap<Scale, (i64, u32, u32)>,
    /// Which set of options.
    pub options: String,
    /// What differs from that set, by group.
    #[serde(default)]
    pub adjust: BTreeMap<String, Adjustment>,
    /// Seconds to make one.
    pub make_seconds: u32,
    /// Parameters of the drawing.
    pub art: serde_json::Value,
    /// What is in it whatever is chosen.
    #[serde(default)]
    pub allergens: Vec<String>,
}

/// An entry of `companies.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CompanySource {
    /// What its id is made from, and what stores call it.
    pub key: String,
    /// What people call it.
    pub name: String,
    /// What it asks on top of the common prices, in cents, by kind.
    pub add_cents: AddCents,
    /// Names and descriptions of its own.
    pub rename: BTreeMap<String, (String, String)>,
    /// What it does not sell.
    pub leave_out: Vec<String>,
}

/// Cents on top.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddCents {
    /// For each drink.
    pub drink: i64,
    /// For each food.
    pub food: i64,
}

/// An entry of `stores.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct StoreSource {
    /// Whose it is.
    pub company: String,
    /// What its id is made from.
    pub number: String,
    /// What people call it.
    pub name: String,
    /// Street and number.
    pub street: String,
    /// City.
    pub city: String,
    /// State.
    pub region: String,
    /// Postcode.
    pub postcode: String,
    /// Telephone.
    pub phone: String,
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// IANA name of its clock.
    pub time_zone: String,
    /// Parts per million of what is taxed.
    pub tax_rate_ppm: i64,
    /// Whether it brings orders to the kerb.
    pub curbside: bool,
    /// How many make drinks at once.
    pub baristas: u32,
    /// When it is open.
    pub hours: HoursSource,
    /// `item KEY`, `size ITEM/CUP`, `choice GROUP/KEY`.
    #[serde(default)]
    pub sold_out: Vec<String>,
}

/// Opening hours, each span as `06:30-20:00`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HoursSource {
    /// Monday to Friday.
    pub weekdays: Vec<String>,
    /// Saturday.
    pub saturday: Vec<String>,
    /// Sunday.
    pub sunday: Vec<String>,
}
