//! What a store is out of.

use std::collections::HashSet;

use types::{ChoiceId, ItemId, SizeId};

use super::menu::Item;

/// What a store is out of.
#[derive(Debug, Clone, Default)]
pub struct SoldOut {
    items: HashSet<ItemId>,
    sizes: HashSet<SizeId>,
    choices: HashSet<ChoiceId>,
}

/// One thing that a store can be out of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// An item, in every size.
    Item(ItemId),
    /// One size of an item.
    Size(SizeId),
    /// A choice, for every item.
    Choice(ChoiceId),
}

impl FromIterator<Subject> for SoldOut {
    fn from_iter<I: IntoIterator<Item = Subject>>(subjects: I) -> Self {
        let mut sold_out = Self::default();
        for subject in subjects {
            match subject {
                Subject::Item(id) => sold_out.items.insert(id),
                Subject::Size(id) => sold_out.sizes.insert(id),
                Subject::Choice(id) => sold_out.choices.insert(id),
            };
        }
        sold_out
    }
}

impl SoldOut {
    /// Whether nothing is left of an item: it is out itself, or in all of its sizes.
    #[must_use]
    pub fn item(&self, item: &Item) -> bool {
        self.items.contains(&item.id) || item.sizes.iter().all(|size| self.size(size.id))
    }

    /// Whether a size is out.
    #[must_use]
    pub fn size(&self, id: SizeId) -> bool {
        self.sizes.contains(&id)
    }

    /// Whether a choice is out.
    #[must_use]
    pub fn choice(&self, id: ChoiceId) -> bool {
        self.choices.contains(&id)
    }
}
