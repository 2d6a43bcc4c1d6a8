//! Builds menus and stores from the files of `deploy/seed`.

use std::collections::HashMap;

use anyhow::{Context, bail};
use types::{CategoryId, ChoiceId, CompanyId, ItemId, ModificationId, Money, SizeId};

use super::source::{
    CompanySource, HoursSource, ItemModificationSource, ItemSource, MenuSource, ModificationSource,
    StoreSource,
};
use crate::domain::{
    csv_import::NewStore,
    geo::Position,
    hours::{Opening, WeeklyHours},
    menu::{
        Category, Choice, ChoicePrice, CupSize, Item, ItemKind, ItemModification, Menu, Modification, Size,
    },
    sold_out::SoldOutSubject,
    stable_id,
};

pub(super) fn company_id(key: &str) -> CompanyId {
    stable_id::derive(&["company", key]).into()
}

fn modification_id(company: &str, key: &str) -> ModificationId {
    stable_id::derive(&["modification", company, key]).into()
}

fn choice_id(company: &str, modification: &str, key: &str) -> ChoiceId {
    stable_id::derive(&["choice", company, modification, key]).into()
}

fn item_id(company: &str, key: &str) -> ItemId {
    stable_id::derive(&["item", company, key]).into()
}

fn size_id(company: &str, item: &str, cup_size: CupSize) -> SizeId {
    stable_id::derive(&["size", company, item, cup_size.code()]).into()
}

/// Builds the menu of a company: the common menu with the company's own names and prices, without the items that it does
/// not sell. Fails if a key is unknown.
pub(super) fn menu(source: &MenuSource, company: &CompanySource) -> anyhow::Result<Menu> {
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
        let id: CategoryId = stable_id::derive(&["category", &company.key, &category.key]).into();
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
        anyhow::ensure!(
            quantity <= max_quantity,
            "{}/{key} has a default above its maximum",
            offered.modification
        );
    }
    let total: u32 = default.values().sum();
    anyhow::ensure!(
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

pub(super) fn store(source: &StoreSource) -> anyhow::Result<NewStore> {
    Ok(NewStore {
        number: source.number.clone(),
        name: source.name.clone(),
        street: source.street.clone(),
        city: source.city.clone(),
        region: source.region.clone(),
        postcode: source.postcode.clone(),
        phone: source.phone.clone(),
        position: Position::new(source.latitude, source.longitude)?,
        time_zone: source.time_zone.clone(),
        tax_rate_ppm: source.tax_rate_ppm,
        curbside: source.curbside,
        baristas: source.baristas,
    })
}

pub(super) fn hours(source: &HoursSource) -> anyhow::Result<WeeklyHours> {
    let days = (1..=5)
        .map(|day| (day, &source.weekdays))
        .chain([(6, &source.saturday), (7, &source.sunday)]);
    let openings = days.flat_map(|(day, spans)| spans.iter().map(move |span| Opening::parse(day, span)));
    Ok(WeeklyHours::new(openings.collect::<Result<_, _>>()?))
}

/// Parses `item KEY`, `size ITEM/CUP` and `choice MODIFICATION/KEY`.
pub(super) fn sold_out(source: &StoreSource) -> anyhow::Result<Vec<SoldOutSubject>> {
    let company = &source.company;
    let subjects = source.sold_out.iter().map(|text| {
        match text
            .split_once(' ')
            .map(|(kind, key)| (kind, key.split_once('/'), key))
        {
            Some(("item", None, key)) => Ok(SoldOutSubject::Item(item_id(company, key))),
            Some(("size", Some((item, cup)), _)) => {
                let cup_size = CupSize::from_code(cup).with_context(|| format!("unknown cup size {cup}"))?;
                Ok(SoldOutSubject::Size(size_id(company, item, cup_size)))
            }
            Some(("choice", Some((modification, key)), _)) => {
                Ok(SoldOutSubject::Choice(choice_id(company, modification, key)))
            }
            _ => bail!("{}: unknown sold-out subject {text:?}", source.number),
        }
    });
    subjects.collect()
}
