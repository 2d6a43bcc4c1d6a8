//! The menu of a company, in memory.

use std::{collections::HashMap, sync::Arc};

use types::{CategoryId, ChoiceId, ItemId, ModificationId, Money, SizeId};

/// Cup sizes, which prices of choices depend on, smallest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CupSize {
    Small,
    Medium,
    Large,
    Extra,
    /// For items with a single size.
    One,
}

impl CupSize {
    pub(crate) const ALL: [Self; 5] = [Self::Small, Self::Medium, Self::Large, Self::Extra, Self::One];

    /// Returns the name of the variant in the database.
    #[must_use]
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
            Self::Extra => "extra",
            Self::One => "one",
        }
    }

    #[must_use]
    pub(crate) fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.code() == code)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    Drink,
    Food,
}

impl ItemKind {
    /// Returns the name of the variant in the database and the API.
    #[must_use]
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Drink => "drink",
            Self::Food => "food",
        }
    }

    #[must_use]
    pub(crate) fn from_code(code: &str) -> Option<Self> {
        [Self::Drink, Self::Food]
            .into_iter()
            .find(|kind| kind.code() == code)
    }
}

/// The categories, items and modifications of a company.
#[derive(Debug, Default)]
pub struct Menu {
    categories: Vec<Category>,
    items: Vec<Arc<Item>>,
    modifications: HashMap<ModificationId, Modification>,
    item_positions: HashMap<ItemId, usize>,
}

#[derive(Debug)]
pub struct Category {
    pub(crate) id: CategoryId,
    pub(crate) name: String,
}

#[derive(Debug)]
pub struct Item {
    pub(crate) id: ItemId,
    pub(crate) category_id: CategoryId,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) kind: ItemKind,
    /// Parameters of the drawing, a JSON object.
    pub(crate) art: String,
    /// Allergens of the item without its choices.
    pub(crate) allergens: Vec<String>,
    pub(crate) make_seconds: u32,
    /// At least one, smallest first.
    pub(crate) sizes: Vec<Size>,
    /// In display order.
    pub(crate) modifications: Vec<ItemModification>,
}

/// A size of an item.
#[derive(Debug)]
pub struct Size {
    pub(crate) id: SizeId,
    pub(crate) cup_size: CupSize,
    pub(crate) name: String,
    /// Fluid ounces; 0 for food.
    pub(crate) ounces: u32,
    pub(crate) price: Money,
    /// With the default choices.
    pub(crate) calories: u32,
    /// With the default choices.
    pub(crate) caffeine_mg: u32,
    pub(crate) is_default: bool,
}

/// A modification with the limits and defaults of one item.
#[derive(Debug)]
pub struct ItemModification {
    pub(crate) modification_id: ModificationId,
    /// Minimum number of choices, counting quantities.
    pub(crate) min: u32,
    /// Maximum number of choices, counting quantities.
    pub(crate) max: u32,
    /// Number of choices that are free.
    pub(crate) included: u32,
    /// The choices that the item is made with by default, with their quantities.
    pub(crate) defaults: Vec<(ChoiceId, u32)>,
}

/// A group of choices, such as milk or syrup, that several items share.
#[derive(Debug)]
pub struct Modification {
    pub(crate) id: ModificationId,
    pub(crate) name: String,
    /// In display order.
    pub(crate) choices: Vec<Choice>,
}

#[derive(Debug)]
pub struct Choice {
    pub(crate) id: ChoiceId,
    pub(crate) name: String,
    /// The maximum for one item.
    pub(crate) max_quantity: u32,
    pub(crate) allergens: Vec<String>,
    /// Its effect in the drawing: "milk:oat".
    pub(crate) art_key: String,
    /// By cup size. A missing cup size means free and without calories.
    pub(crate) prices: HashMap<CupSize, ChoicePrice>,
}

/// The unit price and calories of a choice in one cup size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChoicePrice {
    pub(crate) price: Money,
    /// Negative if the choice replaces a default that has more.
    pub(crate) calories: i32,
}

impl Menu {
    /// Categories and items are in display order.
    #[must_use]
    pub(crate) fn new(categories: Vec<Category>, items: Vec<Item>, modifications: Vec<Modification>) -> Self {
        let item_positions = items
            .iter()
            .enumerate()
            .map(|(position, item)| (item.id, position))
            .collect();
        Self {
            categories,
            items: items.into_iter().map(Arc::new).collect(),
            modifications: modifications
                .into_iter()
                .map(|modification| (modification.id, modification))
                .collect(),
            item_positions,
        }
    }

    #[must_use]
    pub(crate) fn categories(&self) -> &[Category] {
        &self.categories
    }

    #[must_use]
    pub(crate) fn has_category(&self, id: CategoryId) -> bool {
        self.categories.iter().any(|category| category.id == id)
    }

    pub(crate) fn items_in(&self, category_id: CategoryId) -> impl Iterator<Item = &Arc<Item>> {
        self.items
            .iter()
            .filter(move |item| item.category_id == category_id)
    }

    #[must_use]
    pub(crate) fn items(&self) -> &[Arc<Item>] {
        &self.items
    }

    #[must_use]
    pub(crate) fn item(&self, id: ItemId) -> Option<&Arc<Item>> {
        self.item_positions
            .get(&id)
            .and_then(|&position| self.items.get(position))
    }

    /// Returns the item that has a size.
    #[must_use]
    pub(crate) fn item_with_size(&self, id: SizeId) -> Option<(&Arc<Item>, &Size)> {
        self.items
            .iter()
            .find_map(|item| item.size(id).map(|size| (item, size)))
    }

    #[must_use]
    pub(crate) fn has_choice(&self, id: ChoiceId) -> bool {
        self.modifications
            .values()
            .any(|modification| modification.choice(id).is_some())
    }

    /// Returns the modifications in no particular order.
    pub(crate) fn modifications(&self) -> impl Iterator<Item = &Modification> {
        self.modifications.values()
    }

    #[must_use]
    pub(crate) fn modification(&self, id: ModificationId) -> Option<&Modification> {
        self.modifications.get(&id)
    }

    /// Returns the allergens of an item with its default choices.
    #[must_use]
    pub(crate) fn default_allergens(&self, item: &Item) -> Vec<String> {
        let default_choices = item.modifications.iter().flat_map(|offered| {
            let modification = self.modification(offered.modification_id);
            offered
                .defaults
                .iter()
                .filter_map(move |(choice_id, _)| modification?.choice(*choice_id))
        });
        let mut allergens: Vec<String> = item
            .allergens
            .iter()
            .chain(default_choices.flat_map(|choice| &choice.allergens))
            .cloned()
            .collect();
        allergens.sort_unstable();
        allergens.dedup();
        allergens
    }
}

impl Item {
    #[must_use]
    pub(crate) fn default_size(&self) -> Option<&Size> {
        self.sizes
            .iter()
            .find(|size| size.is_default)
            .or_else(|| self.sizes.first())
    }

    #[must_use]
    pub(crate) fn size(&self, id: SizeId) -> Option<&Size> {
        self.sizes.iter().find(|size| size.id == id)
    }
}

impl Modification {
    #[must_use]
    pub(crate) fn choice(&self, id: ChoiceId) -> Option<&Choice> {
        self.choices.iter().find(|choice| choice.id == id)
    }
}

impl Choice {
    #[must_use]
    pub(crate) fn price_in(&self, cup_size: CupSize) -> ChoicePrice {
        self.prices.get(&cup_size).copied().unwrap_or_default()
    }
}
