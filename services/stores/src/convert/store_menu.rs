//! Encodes the menu of a store as its staff see it, without prices.

use std::collections::HashSet;

use proto::stores::v1 as pb;
use types::ModificationId;

use crate::domain::{
    menu::{Item, Modification},
    store_menu::StoreMenu,
};

pub(crate) fn store_menu(store_menu: &StoreMenu) -> pb::StoreMenu {
    let menu = &store_menu.menu;
    let sections = menu.categories().iter().map(|category| pb::StoreMenuSection {
        category_id: category.id.to_string(),
        name: category.name.clone(),
        items: menu
            .items_in(category.id)
            .map(|one| item(store_menu, one))
            .collect(),
    });
    // In the order in which the items have them.
    let mut listed: HashSet<ModificationId> = HashSet::new();
    let modifications = menu
        .items()
        .iter()
        .flat_map(|item| &item.modifications)
        .filter(|offered| listed.insert(offered.modification_id))
        .filter_map(|offered| menu.modification(offered.modification_id))
        .map(|one| modification(store_menu, one));
    pb::StoreMenu {
        sections: sections.collect(),
        modifications: modifications.collect(),
    }
}

fn item(store_menu: &StoreMenu, item: &Item) -> pb::StoreMenuItem {
    let sizes = item.sizes.iter().map(|size| pb::StoreMenuOption {
        id: size.id.to_string(),
        name: size.name.clone(),
        sold_out: store_menu.sold_out.has_size(size.id),
    });
    pb::StoreMenuItem {
        item_id: item.id.to_string(),
        name: item.name.clone(),
        sold_out: store_menu.sold_out.has_item_switched_off(item.id),
        sizes: sizes.collect(),
    }
}

fn modification(store_menu: &StoreMenu, modification: &Modification) -> pb::StoreMenuModification {
    let choices = modification.choices.iter().map(|choice| pb::StoreMenuOption {
        id: choice.id.to_string(),
        name: choice.name.clone(),
        sold_out: store_menu.sold_out.has_choice(choice.id),
    });
    pb::StoreMenuModification {
        modification_id: modification.id.to_string(),
        name: modification.name.clone(),
        choices: choices.collect(),
    }
}
