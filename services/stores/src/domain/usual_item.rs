//! Usual items: items that a consumer saved with their customization.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use types::{ChoiceId, ConsumerId, ItemId, ModificationId, SizeId, StoreId, UsualItemId};

use super::cart_lines::{CartChoice, CartLine, LineError, ResolvedLine};

/// A usual item to save.
#[derive(Debug, Clone)]
pub struct AddUsualItem {
    pub(crate) consumer_id: ConsumerId,
    pub(crate) store_id: StoreId,
    /// A line with quantity 1 and without a line id.
    pub(crate) line: CartLine,
    /// Chosen by the consumer.
    pub(crate) name: Option<String>,
}

/// The customized item. Equal customizations are the same usual item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customization {
    pub(crate) item_id: ItemId,
    pub(crate) size_id: SizeId,
    /// Sorted.
    pub(crate) choices: Vec<UsualChoice>,
    pub(crate) note: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UsualChoice {
    pub(crate) modification_id: ModificationId,
    pub(crate) choice_id: ChoiceId,
    pub(crate) quantity: u32,
}

#[derive(Debug, Clone)]
pub struct UsualItem {
    pub(crate) id: UsualItemId,
    /// The store at which the item was saved last.
    pub(crate) store_id: StoreId,
    pub(crate) store_name: String,
    pub(crate) name: String,
    pub(crate) customization: Customization,
}

/// A usual item, resolved against the current menu of a store.
#[derive(Debug)]
pub struct ResolvedUsualItem {
    pub(crate) item: UsualItem,
    /// Absent if the customization is no longer possible. Present if the item is sold out.
    pub(crate) line: Option<ResolvedLine>,
    /// The reason for which it cannot be ordered now.
    pub(crate) problem: Option<LineError>,
}

impl Customization {
    /// Returns the customization of a valid line, or `None` if an id is missing.
    #[must_use]
    pub(crate) fn of_line(line: &CartLine) -> Option<Self> {
        let mut choices = line
            .choices
            .iter()
            .map(|choice| {
                Some(UsualChoice {
                    modification_id: choice.modification_id?,
                    choice_id: choice.choice_id?,
                    quantity: choice.quantity,
                })
            })
            .collect::<Option<Vec<_>>>()?;
        choices.sort_unstable();
        Some(Self {
            item_id: line.item_id?,
            size_id: line.size_id?,
            choices,
            note: line.note.clone(),
        })
    }

    /// Returns a cart line with quantity 1.
    #[must_use]
    pub(crate) fn to_line(&self, id: UsualItemId) -> CartLine {
        let choices = self.choices.iter().map(|choice| CartChoice {
            modification_id: Some(choice.modification_id),
            choice_id: Some(choice.choice_id),
            quantity: choice.quantity,
        });
        CartLine {
            id: id.to_string(),
            item_id: Some(self.item_id),
            size_id: Some(self.size_id),
            quantity: 1,
            choices: choices.collect(),
            note: self.note.clone(),
        }
    }

    /// Returns a hash that is the same for equal customizations.
    #[must_use]
    pub(crate) fn hash(&self) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(self.item_id.uuid());
        hasher.update(self.size_id.uuid());
        for choice in &self.choices {
            hasher.update(choice.modification_id.uuid());
            hasher.update(choice.choice_id.uuid());
            hasher.update(choice.quantity.to_be_bytes());
        }
        hasher.update(&self.note);
        hasher.finalize().into()
    }
}
