//! Builds menus from the files.

use std::collections::{HashMap, HashSet};

use anyhow::{Context, bail, ensure};
use types::{CategoryId, Money};

use super::source::{CompanySource, ItemModificationSource, ItemSource, MenuSource, ModificationSource};
use crate::domain::{
    menu::{
        Category, Choice, ChoicePrice, CupSize, Item, ItemKind, ItemModification, Menu, Modification, Size,
    },
    stable_id::{choice_id, derive, item_id, modification_id, size_id},
};

/// Builds the menu of a company: the common menu with the company's own names and prices, without the items that it does
/// not sell. Fails if a key is unknown or used twice.
pub(super) fn menu(source: &MenuSource, company: &CompanySource) -> anyhow::Result<Menu> {
    ensure_unique_keys(source)?;
    let is_known = |key: &String| {
        source
            .categories
            .iter()
            .flat_map(|category| &category.items)
            .any(|item| item.key == *key)
    };
    if let Some(unknown) = company
        .omit
        .iter()
        .chain(company.rename.keys())
        .find(|key| !is_known(key))
    {
        bail!("{}: unknown item {unknown}", company.key);
    }
    let mut categories = Vec::new();
    let mut items = Vec::new();
    for category in &source.categories {
        let id: CategoryId = derive(&["category", &company.key, &category.key]).into();
        categories.push(Category {
            id,
            name: category.name.clone(),
        });
        for item in category
            .items
            .iter()
            .filter(|item| !company.omit.contains(&item.key))
        {
            items.push(build_item(source, company, id, item).with_context(|| item.key.clone())?);
        }
    }
    let modifications = source
        .modifications
        .iter()
        .map(|source| build_modification(company, source))
        .collect();
    Ok(Menu::new(categories, items, modifications))
}

/// Fails if two categories, items, modifications or choices of a modification have one key: they would have the same id.
fn ensure_unique_keys(source: &MenuSource) -> anyhow::Result<()> {
    let items = source.categories.iter().flat_map(|category| &category.items);
    ensure_unique("category", source.categories.iter().map(|category| &category.key))?;
    ensure_unique("item", items.map(|item| &item.key))?;
    ensure_unique(
        "modification",
        source.modifications.iter().map(|modification| &modification.key),
    )?;
    for modification in &source.modifications {
        ensure_unique("choice", modification.choices.iter().map(|choice| &choice.key))
            .with_context(|| modification.key.clone())?;
    }
    Ok(())
}

pub(super) fn ensure_unique<'a>(kind: &str, keys: impl Iterator<Item = &'a String>) -> anyhow::Result<()> {
    let mut known = HashSet::new();
    for key in keys {
        ensure!(known.insert(key), "two of the kind {kind} have the key {key}");
    }
    Ok(())
}

fn build_modification(company: &CompanySource, source: &ModificationSource) -> Modification {
    let choices = source.choices.iter().map(|choice| {
        let price = |cup_size| ChoicePrice {
            price: Money::usd(i64::from(choice.price.at(cup_size))),
            calories: choice.calories.at(cup_size),
        };
        Choice {
            id: choice_id(&company.key, &source.key, &choice.key),
            name: choice.name.clone(),
            max_quantity: choice.max,
            allergens: choice.allergens.clone(),
            art_key: choice.art_key.clone(),
            prices: CupSize::ALL
                .into_iter()
                .map(|cup_size| (cup_size, price(cup_size)))
                .filter(|(_, price)| *price != ChoicePrice::default())
                .collect(),
        }
    });
    Modification {
        id: modification_id(&company.key, &source.key),
        name: source.name.clone(),
        choices: choices.collect(),
    }
}

fn build_item(
    source: &MenuSource,
    company: &CompanySource,
    category_id: CategoryId,
    item: &ItemSource,
) -> anyhow::Result<Item> {
    let cups = source
        .cups
        .get(&item.cups)
        .with_context(|| format!("unknown cups {}", item.cups))?;
    ensure!(
        item.sizes.contains_key(&cups.default),
        "has no size {}, the default of {}",
        cups.default.code(),
        item.cups
    );
    let surcharge_cents = if item.kind == ItemKind::Drink {
        company.surcharge_cents.drink
    } else {
        company.surcharge_cents.food
    };
    let sizes = item
        .sizes
        .iter()
        .map(|(cup_size, &(cents, calories, caffeine_mg))| {
            let (name, ounces) = cups
                .sizes
                .get(cup_size)
                .with_context(|| format!("unknown cup size {}", cup_size.code()))?;
            Ok(Size {
                id: size_id(&company.key, &item.key, *cup_size),
                cup_size: *cup_size,
                name: name.clone(),
                ounces: *ounces,
                price: Money::usd(cents + surcharge_cents),
                calories,
                caffeine_mg,
                is_default: *cup_size == cups.default,
            })
        });
    let sizes = sizes.collect::<anyhow::Result<_>>()?;
    let options = source
        .options
        .get(&item.options)
        .with_context(|| format!("unknown options {}", item.options))?;
    if let Some(unknown) = item
        .adjust
        .keys()
        .find(|key| options.iter().all(|offered| offered.modification != **key))
    {
        bail!("adjusts {unknown}, which its options do not contain");
    }
    let modifications = options
        .iter()
        .map(|offered| build_item_modification(source, company, item, offered))
        .collect::<anyhow::Result<_>>()?;
    let (name, description) = company
        .rename
        .get(&item.key)
        .cloned()
        .unwrap_or_else(|| (item.name.clone(), item.description.clone()));
    Ok(Item {
        id: item_id(&company.key, &item.key),
        category_id,
        name,
        description,
        kind: item.kind,
        art: item.art.to_string(),
        allergens: item.allergens.clone(),
        make_seconds: item.make_seconds,
        sizes,
        modifications,
    })
}

fn build_item_modification(
    source: &MenuSource,
    company: &CompanySource,
    item: &ItemSource,
    offered: &ItemModificationSource,
) -> anyhow::Result<ItemModification> {
    let modification = source
        .modifications
        .iter()
        .find(|modification| modification.key == offered.modification)
        .with_context(|| format!("unknown modification {}", offered.modification))?;
    let (included, default) = match item.adjust.get(&offered.modification) {
        Some(adjustment) => (adjustment.included, &adjustment.default),
        None => (offered.included, &offered.default),
    };
    let max_quantities: HashMap<&str, u32> = modification
        .choices
        .iter()
        .map(|choice| (choice.key.as_str(), choice.max))
        .collect();
    for (key, quantity) in default {
        let max_quantity = max_quantities
            .get(key.as_str())
            .with_context(|| format!("unknown choice {}/{key}", offered.modification))?;
        ensure!(
            quantity <= max_quantity,
            "{}/{key} has a default above its maximum",
            offered.modification
        );
    }
    let total: u32 = default.values().sum();
    ensure!(
        offered.min <= total && total <= offered.max,
        "{} has {total} default choices",
        offered.modification
    );
    Ok(ItemModification {
        modification_id: modification_id(&company.key, &offered.modification),
        min: offered.min,
        max: offered.max,
        included,
        defaults: modification
            .choices
            .iter()
            .filter_map(|choice| {
                let quantity = default.get(&choice.key)?;
                Some((
                    choice_id(&company.key, &offered.modification, &choice.key),
                    *quantity,
                ))
            })
            .collect(),
    })
}
