//! Menus on their way out.

use proto::stores::v1;
use types::CategoryId;

use super::money;
use crate::{
    domain::menu::{Category, Choice, Group, Item, Size},
    ops::menu::Offer,
};

/// The parts of a menu.
pub fn categories(offer: &Offer) -> v1::ListCategoriesResponse {
    let categories = offer
        .menu
        .categories()
        .iter()
        .map(|part| category(offer, part))
        .collect();
    v1::ListCategoriesResponse { categories }
}

fn category(offer: &Offer, part: &Category) -> v1::Category {
    v1::Category {
        category_id: part.id.to_string(),
        name: part.name.clone(),
        item_count: u32::try_from(offer.menu.items_of(part.id).count()).unwrap_or(u32::MAX),
    }
}

/// A menu, or one part of it.
pub fn menu(offer: &Offer, only: Option<CategoryId>) -> v1::ListMenuResponse {
    let parts = offer
        .menu
        .categories()
        .iter()
        .filter(|part| only.is_none_or(|only| only == part.id));
    let sections = parts
        .map(|part| v1::MenuSection {
            category: Some(category(offer, part)),
            items: offer
                .menu
                .items_of(part.id)
                .map(|item| menu_item(offer, item))
                .collect(),
        })
        .collect();
    v1::ListMenuResponse { sections }
}

fn menu_item(offer: &Offer, item: &Item) -> v1::MenuItem {
    let cheapest = item
        .sizes
        .iter()
        .map(|size| size.price)
        .min_by_key(|price| price.minor_units());
    v1::MenuItem {
        item_id: item.id.to_string(),
        name: item.name.clone(),
        description: item.description.clone(),
        price_from: cheapest.map(money),
        sold_out: offer.sold_out.item(item),
        detail: item
            .default_size()
            .map(|size| format!("{} kcal", size.calories))
            .unwrap_or_default(),
        art: item.art.clone(),
        kind: item.kind.code().to_owned(),
        allergens: item.allergens_as_it_comes(&offer.menu),
    }
}

/// An item with all that can be chosen.
pub fn item(offer: &Offer, item: &Item) -> v1::Item {
    v1::Item {
        item_id: item.id.to_string(),
        category_id: item.category.to_string(),
        name: item.name.clone(),
        description: item.description.clone(),
        kind: item.kind.code().to_owned(),
        art: item.art.clone(),
        allergens: item.allergens.clone(),
        sold_out: offer.sold_out.item(item),
        sizes: item.sizes.iter().map(|one| size(offer, one)).collect(),
        modifications: item
            .groups
            .iter()
            .filter_map(|group| modification(offer, item, group))
            .collect(),
    }
}

fn size(offer: &Offer, size: &Size) -> v1::Size {
    v1::Size {
        size_id: size.id.to_string(),
        name: size.name.clone(),
        ounces: size.ounces,
        price: Some(money(size.price)),
        calories: size.calories,
        caffeine_mg: size.caffeine_mg,
        sold_out: offer.sold_out.size(size.id),
        is_default: size.is_default,
    }
}

fn modification(offer: &Offer, item: &Item, group: &Group) -> Option<v1::Modification> {
    let modification = offer.menu.modification(group.modification)?;
    Some(v1::Modification {
        modification_id: modification.id.to_string(),
        name: modification.name.clone(),
        min: group.min,
        max: group.max,
        included: group.included,
        choices: modification
            .choices
            .iter()
            .map(|one| choice(offer, item, group, one))
            .collect(),
    })
}

fn choice(offer: &Offer, item: &Item, group: &Group, choice: &Choice) -> v1::Choice {
    let usual = item
        .default_size()
        .map(|size| choice.in_cup(size.scale))
        .unwrap_or_default();
    let default = group.defaults.iter().find(|(id, _)| *id == choice.id);
    v1::Choice {
        choice_id: choice.id.to_string(),
        name: choice.name.clone(),
        prices: item
            .sizes
            .iter()
            .map(|size| {
                let extra = choice.in_cup(size.scale);
                v1::SizePrice {
                    size_id: size.id.to_string(),
                    price: Some(money(extra.price)),
                    calories: extra.calories,
                }
            })
            .collect(),
        max_quantity: choice.max_quantity,
        default_quantity: default.map_or(0, |(_, quantity)| *quantity),
        sold_out: offer.sold_out.choice(choice.id),
        allergens: choice.allergens.clone(),
        art_key: choice.art_key.clone(),
        calories: usual.calories,
    }
}
