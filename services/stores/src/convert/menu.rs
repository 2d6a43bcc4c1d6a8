//! Encodes menus.

use std::sync::Arc;

use kit::InternalError;
use proto::stores::v1 as pb;
use types::{CategoryId, ChoiceId, MoneyError};

use super::values::money;
use crate::domain::{
    menu::{Category, Choice, Item, ItemModification, Size},
    store_menu::{OfferedModification, StoreItem, StoreMenu},
};

pub(crate) fn category_list(store_menu: &StoreMenu) -> pb::ListCategoriesResponse {
    let categories = store_menu
        .menu
        .categories()
        .iter()
        .map(|one| category(store_menu, one))
        .collect();
    pb::ListCategoriesResponse { categories }
}

fn category(store_menu: &StoreMenu, category: &Category) -> pb::Category {
    let item_count = store_menu.menu.items_in(category.id).count();
    pb::Category {
        category_id: category.id.to_string(),
        name: category.name.clone(),
        item_count: u32::try_from(item_count).unwrap_or(u32::MAX),
    }
}

/// Encodes the menu. With a category, encodes only that category.
///
/// # Errors
/// [`InternalError`] if prices of the menu overflow or differ in currency.
pub(crate) fn menu(
    store_menu: &StoreMenu,
    category_id: Option<CategoryId>,
) -> Result<pb::ListMenuResponse, InternalError> {
    let sections = store_menu
        .menu
        .categories()
        .iter()
        .filter(|category| category_id.is_none_or(|id| id == category.id))
        .map(|one| {
            Ok(pb::MenuSection {
                category: Some(category(store_menu, one)),
                items: menu_items(store_menu, store_menu.menu.items_in(one.id))?,
            })
        });
    let sections = sections.collect::<Result<_, InternalError>>()?;
    Ok(pb::ListMenuResponse { sections })
}

/// # Errors
/// As [`menu`].
pub(crate) fn menu_items<'menu>(
    store_menu: &StoreMenu,
    items: impl IntoIterator<Item = &'menu Arc<Item>>,
) -> Result<Vec<pb::MenuItem>, InternalError> {
    let items = items.into_iter().map(|item| menu_item(store_menu, item));
    items
        .collect::<Result<_, _>>()
        .map_err(InternalError::invariant_violated)
}

fn menu_item(store_menu: &StoreMenu, item: &Item) -> Result<pb::MenuItem, MoneyError> {
    Ok(pb::MenuItem {
        item_id: item.id.to_string(),
        name: item.name.clone(),
        description: item.description.clone(),
        price_from: store_menu.lowest_price(item)?.map(money),
        sold_out: store_menu.sold_out.has_item(item),
        detail: item
            .default_size()
            .map(|size| format!("{} Cal", size.calories))
            .unwrap_or_default(),
        art: item.art.clone(),
        kind: item.kind.code().to_owned(),
        allergens: store_menu.menu.default_allergens(item),
    })
}

pub(crate) fn item(store_item: &StoreItem) -> pb::Item {
    let StoreItem { item, store_menu } = store_item;
    pb::Item {
        item_id: item.id.to_string(),
        category_id: item.category_id.to_string(),
        name: item.name.clone(),
        description: item.description.clone(),
        kind: item.kind.code().to_owned(),
        art: item.art.clone(),
        allergens: item.allergens.clone(),
        sold_out: store_menu.sold_out.has_item(item),
        sizes: item.sizes.iter().map(|one| size(store_menu, one)).collect(),
        modifications: item
            .modifications
            .iter()
            .filter_map(|offered| modification(store_menu, item, offered))
            .collect(),
    }
}

fn size(store_menu: &StoreMenu, size: &Size) -> pb::Size {
    pb::Size {
        size_id: size.id.to_string(),
        name: size.name.clone(),
        ounces: size.ounces,
        price: Some(money(size.price)),
        calories: size.calories,
        caffeine_mg: size.caffeine_mg,
        sold_out: store_menu.sold_out.has_size(size.id),
        is_default: size.is_default,
    }
}

fn modification(store_menu: &StoreMenu, item: &Item, offered: &ItemModification) -> Option<pb::Modification> {
    let modification = store_menu.menu.modification(offered.modification_id)?;
    Some(pb::Modification {
        modification_id: modification.id.to_string(),
        name: modification.name.clone(),
        min: offered.min,
        max: offered.max,
        included: offered.included,
        choices: modification
            .choices
            .iter()
            .map(|one| choice(store_menu, item, offered, one))
            .collect(),
    })
}

fn choice(store_menu: &StoreMenu, item: &Item, offered: &ItemModification, choice: &Choice) -> pb::Choice {
    let at_default_size = item
        .default_size()
        .map(|size| choice.price_in(size.cup_size))
        .unwrap_or_default();
    let default = offered.defaults.iter().find(|(id, _)| *id == choice.id);
    pb::Choice {
        choice_id: choice.id.to_string(),
        name: choice.name.clone(),
        prices: item.sizes.iter().map(|size| size_price(choice, size)).collect(),
        max_quantity: choice.max_quantity,
        default_quantity: default.map_or(0, |(_, quantity)| *quantity),
        sold_out: store_menu.sold_out.has_choice(choice.id),
        allergens: choice.allergens.clone(),
        art_key: choice.art_key.clone(),
        calories: at_default_size.calories,
    }
}

fn size_price(choice: &Choice, size: &Size) -> pb::SizePrice {
    let in_size = choice.price_in(size.cup_size);
    pb::SizePrice {
        size_id: size.id.to_string(),
        price: Some(money(in_size.price)),
        calories: in_size.calories,
    }
}

/// Encodes a modification with the prices and calories of one size.
pub(crate) fn offered_modification(offered: &OfferedModification) -> pb::OfferedModification {
    let OfferedModification { item, store_menu, .. } = offered;
    pb::OfferedModification {
        item_id: item.id.to_string(),
        item_name: item.name.clone(),
        size: item.size(offered.size_id).map(|one| size(store_menu, one)),
        modification: modification_at_size(offered),
    }
}

/// Encodes one choice of a modification.
pub(crate) fn offered_choice(offered: &OfferedModification, choice_id: ChoiceId) -> pb::OfferedChoice {
    let encoded = offered_modification(offered);
    let modification = encoded.modification.unwrap_or_default();
    let choice_id = choice_id.to_string();
    pb::OfferedChoice {
        item_id: encoded.item_id,
        item_name: encoded.item_name,
        size: encoded.size,
        modification_id: modification.modification_id,
        modification_name: modification.name,
        choice: modification
            .choices
            .into_iter()
            .find(|choice| choice.choice_id == choice_id),
    }
}

fn modification_at_size(offered: &OfferedModification) -> Option<pb::Modification> {
    let OfferedModification { item, store_menu, .. } = offered;
    let size_id = offered.size_id.to_string();
    let limits = item
        .modifications
        .iter()
        .find(|modification| modification.modification_id == offered.modification_id)?;
    let mut encoded = modification(store_menu, item, limits)?;
    for choice in &mut encoded.choices {
        choice.prices.retain(|price| price.size_id == size_id);
        choice.calories = choice.prices.first().map_or(0, |price| price.calories);
    }
    Some(encoded)
}
