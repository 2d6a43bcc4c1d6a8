//! Items, sizes and choices that a store has sold out.

use std::collections::HashSet;

use types::{ChoiceId, ItemId, SizeId};

use super::menu::Item;

#[derive(Debug, Clone, Default)]
pub struct SoldOut {
    items: HashSet<ItemId>,
    sizes: HashSet<SizeId>,
    choices: HashSet<ChoiceId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoldOutSubject {
    /// In every size.
    Item(ItemId),
    Size(SizeId),
    /// For every item.
    Choice(ChoiceId),
}

impl FromIterator<SoldOutSubject> for SoldOut {
    fn from_iter<I: IntoIterator<Item = SoldOutSubject>>(subjects: I) -> Self {
        let mut sold_out = Self::default();
        for subject in subjects {
            match subject {
                SoldOutSubject::Item(id) => sold_out.items.insert(id),
                SoldOutSubject::Size(id) => sold_out.sizes.insert(id),
                SoldOutSubject::Choice(id) => sold_out.choices.insert(id),
            };
        }
        sold_out
    }
}

impl SoldOut {
    /// Returns whether the item itself or all of its sizes are sold out.
    #[must_use]
    pub(crate) fn has_item(&self, item: &Item) -> bool {
        self.items.contains(&item.id) || item.sizes.iter().all(|size| self.has_size(size.id))
    }

    /// Returns whether the item itself is sold out, whatever its sizes.
    #[must_use]
    pub(crate) fn has_item_switched_off(&self, id: ItemId) -> bool {
        self.items.contains(&id)
    }

    #[must_use]
    pub(crate) fn has_size(&self, id: SizeId) -> bool {
        self.sizes.contains(&id)
    }

    #[must_use]
    pub(crate) fn has_choice(&self, id: ChoiceId) -> bool {
        self.choices.contains(&id)
    }
}
