//! From the files of `deploy/seed` to menus and stores.

use std::collections::HashMap;

use anyhow::{Context, bail};
use types::{CategoryId, ChoiceId, CompanyId, ItemId, ModificationId, Money, SizeId};

use super::source::{
    CompanySource, GroupSource, HoursSource, ItemSource, MenuSource, ModificationSource, StoreSource,
};
use crate::domain::{
    geo::Position,
    hours::{Opening, Week},
    intake::NewStore,
    menu::{Category, Choice, Extra, Group, Item, Kind, Menu, Modification, Scale, Size},
    sold_out::Subject,
    stable_id,
};

/// The id of the company of a key.
pub fn company_id(key: &str) -> CompanyId {
    stable_id::of(&["company", key]).into()
}

fn modification_id(company: &str, key: &str) -> ModificationId {
    stable_id::of(&["modification", company, key]).into()
}

fn choice_id(company: &str, modification: &str, key: &str) -> ChoiceId {
    stable_id::of(&["choice", company, modification, key]).into()
}

fn item_id(company: &str, key: &str) -> ItemId {
    stable_id::of(&["item", company, key]).into()
}

fn size_id(company: &str, item: &str, scale: Scale) -> SizeId {
    stable_id::of(&["size", company, item, scale.code()]).into()
}

/// A company's menu: the common one with its own names and prices, less what it does not sell.
///
/// # Errors
/// A key that nothing stands behind.
pub fn menu(source: &MenuSource, company: &CompanySource) -> anyhow::Result<Menu> {
    let known = |key: &String| {
        source
            .categories
            .iter()
            .flat_map(|part| &part.items)
            .any(|item| item.key == *key)
    };
    if let Some(stranger) = company
        .leave_out
        .iter()
        .chain(company.rename.keys())
        .find(|key| !known(key))
    {
        bail!("{}: no item {stranger}", company.key);
    }
    let mut categories = Vec::new();
    let mut items = Vec::new();
    for part in &source.categories {
        let id: CategoryId = stable_id::of(&["category", &company.key, &part.key]).into();
        categories.push(Category {
            id,
            name: part.name.clone(),
        });
        for item in part
            .items
            .iter()
            .filter(|item| !company.leave_out.contains(&item.key))
        {
            items.push(build_item(source, company, id, item).with_context(|| item.key.clone())?);
        }
    }
    let modifications = source
        .modifications
        .iter()
        .map(|group| modification(company, group))
        .collect();
    Ok(Menu::new(categories, items, modifications))
}

fn modification(company: &CompanySource, group: &ModificationSource) -> Modification {
    let choices = group.choices.iter().map(|choice| {
        let extra = |scale| Extra {
            price: Money::usd(i64::from(choice.price.of(scale))),
            calories: choice.calories.of(scale),
        };
        Choice {
            id: choice_id(&company.key, &group.key, &choice.key),
            name: choice.name.clone(),
            max_quantity: choice.max,
            allergens: choice.allergens.clone(),
            art_key: choice.art_key.clone(),
            by_scale: Scale::ALL
                .into_iter()
                .map(|scale| (scale, extra(scale)))
                .filter(|(_, extra)| *extra != Extra::default())
                .collect(),
        }
    });
    Modification {
        id: modification_id(&company.key, &group.key),
        name: group.name.clone(),
        choices: choices.collect(),
    }
}

fn build_item(
    source: &MenuSource,
    company: &CompanySource,
    category: CategoryId,
    item: &ItemSource,
) -> anyhow::Result<Item> {
    let cups = source
        .cups
        .get(&item.cups)
        .with_context(|| format!("no cups {}", item.cups))?;
    let more = if item.kind == Kind::Drink {
        company.add_cents.drink
    } else {
        company.add_cents.food
    };
    let sizes = item.sizes.iter().map(|(scale, &(cents, calories, caffeine_mg))| {
        let (name, ounces) = cups
            .sizes
            .get(scale)
            .with_context(|| format!("no cup {}", scale.code()))?;
        Ok(Size {
            id: size_id(&company.key, &item.key, *scale),
            scale: *scale,
            name: name.clone(),
            ounces: *ounces,
            price: Money::usd(cents + more),
            calories,
            caffeine_mg,
            is_default: *scale == cups.default,
        })
    });
    let sizes = sizes.collect::<anyhow::Result<_>>()?;
    let options = source
        .options
        .get(&item.options)
        .with_context(|| format!("no options {}", item.options))?;
    if let Some(stranger) = item
        .adjust
        .keys()
        .find(|key| options.iter().all(|group| group.of != **key))
    {
        bail!("adjusts {stranger}, which it does not offer");
    }
    let groups = options
        .iter()
        .map(|group| build_group(source, company, item, group))
        .collect::<anyhow::Result<_>>()?;
    let (name, description) = company
        .rename
        .get(&item.key)
        .cloned()
        .unwrap_or_else(|| (item.name.clone(), item.description.clone()));
    Ok(Item {
        id: item_id(&company.key, &item.key),
        category,
        name,
        description,
        kind: item.kind,
        art: item.art.to_string(),
        allergens: item.allergens.clone(),
        make_seconds: item.make_seconds,
        sizes,
        groups,
    })
}

fn build_group(
    source: &MenuSource,
    company: &CompanySource,
    item: &ItemSource,
    group: &GroupSource,
) -> anyhow::Result<Group> {
    let modification = source
        .modifications
        .iter()
        .find(|modification| modification.key == group.of)
        .with_context(|| format!("no modification {}", group.of))?;
    let (included, default) = match item.adjust.get(&group.of) {
        Some(own) => (own.included, &own.default),
        None => (group.included, &group.default),
    };
    let known: HashMap<&str, u32> = modification
        .choices
        .iter()
        .map(|choice| (choice.key.as_str(), choice.max))
        .collect();
    for (key, quantity) in default {
        let most = known
            .get(key.as_str())
            .with_context(|| format!("no choice {}/{key}", group.of))?;
        anyhow::ensure!(
            quantity <= most,
            "{}/{key} comes with more than may be taken",
            group.of
        );
    }
    let total: u32 = default.values().sum();
    anyhow::ensure!(
        group.min <= total && total <= group.max,
        "{} comes with {total} choices",
        group.of
    );
    Ok(Group {
        modification: modification_id(&company.key, &group.of),
        min: group.min,
        max: group.max,
        included,
        defaults: modification
            .choices
            .iter()
            .filter_map(|choice| {
                let quantity = default.get(&choice.key)?;
                Some((choice_id(&company.key, &group.of, &choice.key), *quantity))
            })
            .collect(),
    })
}

/// A store.
///
/// # Errors
/// A position that is not on the earth.
pub fn store(source: &StoreSource) -> anyhow::Result<NewStore> {
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

/// The hours of a store.
///
/// # Errors
/// A span that cannot be read.
pub fn week(source: &HoursSource) -> anyhow::Result<Week> {
    let days = (1..=5)
        .map(|day| (day, &source.weekdays))
        .chain([(6, &source.saturday), (7, &source.sunday)]);
    let openings = days.flat_map(|(day, spans)| spans.iter().map(move |span| Opening::parse(day, span)));
    Ok(Week::new(openings.collect::<Result<_, _>>()?))
}

/// What a store is out of.
///
/// # Errors
/// A word that names nothing.
pub fn sold_out(source: &StoreSource) -> anyhow::Result<Vec<Subject>> {
    let company = &source.company;
    let subjects = source.sold_out.iter().map(|text| {
        match text
            .split_once(' ')
            .map(|(word, key)| (word, key.split_once('/'), key))
        {
            Some(("item", None, key)) => Ok(Subject::Item(item_id(company, key))),
            Some(("size", Some((item, cup)), _)) => {
                let scale = Scale::from_code(cup).with_context(|| format!("no cup {cup}"))?;
                Ok(Subject::Size(size_id(company, item, scale)))
            }
            Some(("choice", Some((group, key)), _)) => Ok(Subject::Choice(choice_id(company, group, key))),
            _ => bail!("{}: cannot be sold out of {text:?}", source.number),
        }
    });
    subjects.collect()
}
