//! A company's menu, whole and in memory.

use std::collections::HashMap;

use types::{CategoryId, ChoiceId, ItemId, ModificationId, Money, SizeId};

/// The cups that prices of choices go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// The smallest cup.
    Small,
    /// The usual one.
    Medium,
    /// A large one.
    Large,
    /// The largest.
    Extra,
    /// What comes in one size only.
    One,
}

impl Scale {
    /// All of them, smallest first.
    pub const ALL: [Self; 5] = [Self::Small, Self::Medium, Self::Large, Self::Extra, Self::One];

    /// Its word in the database.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
            Self::Extra => "extra",
            Self::One => "one",
        }
    }

    /// The cup of a word.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scale| scale.code() == code)
    }
}

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Something to drink.
    Drink,
    /// Something to eat.
    Food,
}

impl Kind {
    /// Its word.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Drink => "drink",
            Self::Food => "food",
        }
    }
}

/// A menu.
#[derive(Debug, Default)]
pub struct Menu {
    categories: Vec<Category>,
    items: Vec<Item>,
    modifications: HashMap<ModificationId, Modification>,
    places: HashMap<ItemId, usize>,
}

/// A part of a menu.
#[derive(Debug)]
pub struct Category {
    /// Its id.
    pub id: CategoryId,
    /// Its name.
    pub name: String,
}

/// Something on a menu.
#[derive(Debug)]
pub struct Item {
    /// Its id.
    pub id: ItemId,
    /// The part of the menu that it is in.
    pub category: CategoryId,
    /// Its name.
    pub name: String,
    /// A sentence about it.
    pub description: String,
    /// Drink or food.
    pub kind: Kind,
    /// Parameters of its drawing, JSON.
    pub art: String,
    /// What is in it whatever is chosen.
    pub allergens: Vec<String>,
    /// Seconds that one takes to make.
    pub make_seconds: u32,
    /// At least one, smallest first.
    pub sizes: Vec<Size>,
    /// What can be chosen, in order.
    pub groups: Vec<Group>,
}

/// A size of an item.
#[derive(Debug)]
pub struct Size {
    /// Its id.
    pub id: SizeId,
    /// The cup that it is.
    pub scale: Scale,
    /// Its name.
    pub name: String,
    /// Fluid ounces; 0 for food.
    pub ounces: u32,
    /// What the item costs in it.
    pub price: Money,
    /// Calories as it comes.
    pub calories: u32,
    /// Caffeine as it comes, milligrams.
    pub caffeine_mg: u32,
    /// Whether it is taken unless the consumer says otherwise.
    pub is_default: bool,
}

/// A modification as one item offers it.
#[derive(Debug)]
pub struct Group {
    /// Which one.
    pub modification: ModificationId,
    /// How many choices must be taken, counting quantities.
    pub min: u32,
    /// How many may be taken.
    pub max: u32,
    /// How many cost nothing.
    pub included: u32,
    /// What the item is made with unless the consumer says otherwise.
    pub defaults: Vec<(ChoiceId, u32)>,
}

/// A group of choices that items share.
#[derive(Debug)]
pub struct Modification {
    /// Its id.
    pub id: ModificationId,
    /// Its name.
    pub name: String,
    /// In order.
    pub choices: Vec<Choice>,
}

/// One of them.
#[derive(Debug)]
pub struct Choice {
    /// Its id.
    pub id: ChoiceId,
    /// Its name.
    pub name: String,
    /// The most of it that one item takes.
    pub max_quantity: u32,
    /// What it brings in.
    pub allergens: Vec<String>,
    /// What it does in the drawing.
    pub art_key: String,
    /// What one costs and adds, by cup; nothing where a cup is not listed.
    pub by_scale: HashMap<Scale, Extra>,
}

/// What one of a choice costs and adds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extra {
    /// Its price.
    pub price: Money,
    /// Its calories; negative where it takes the place of something heavier.
    pub calories: i32,
}

impl Menu {
    /// A menu of these parts, each in order.
    #[must_use]
    pub fn new(categories: Vec<Category>, items: Vec<Item>, modifications: Vec<Modification>) -> Self {
        let places = items
            .iter()
            .enumerate()
            .map(|(place, item)| (item.id, place))
            .collect();
        let modifications = modifications
            .into_iter()
            .map(|modification| (modification.id, modification))
            .collect();
        Self {
            categories,
            items,
            modifications,
            places,
        }
    }

    /// Its parts.
    #[must_use]
    pub fn categories(&self) -> &[Category] {
        &self.categories
    }

    /// What a part holds.
    pub fn items_of(&self, category: CategoryId) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.category == category)
    }

    /// All items.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// An item.
    #[must_use]
    pub fn item(&self, id: ItemId) -> Option<&Item> {
        self.places.get(&id).and_then(|&place| self.items.get(place))
    }

    /// All groups of choices, in no order.
    pub fn modifications(&self) -> impl Iterator<Item = &Modification> {
        self.modifications.values()
    }

    /// A modification.
    #[must_use]
    pub fn modification(&self, id: ModificationId) -> Option<&Modification> {
        self.modifications.get(&id)
    }
}

impl Item {
    /// The size that it comes in unless the consumer says otherwise.
    #[must_use]
    pub fn default_size(&self) -> Option<&Size> {
        self.sizes
            .iter()
            .find(|size| size.is_default)
            .or_else(|| self.sizes.first())
    }

    /// One of its sizes.
    #[must_use]
    pub fn size(&self, id: SizeId) -> Option<&Size> {
        self.sizes.iter().find(|size| size.id == id)
    }

    /// What is in it as it comes: its own allergens and those of what it is made with.
    #[must_use]
    pub fn allergens_as_it_comes(&self, menu: &Menu) -> Vec<String> {
        let chosen = self.groups.iter().flat_map(|group| {
            let modification = menu.modification(group.modification);
            group
                .defaults
                .iter()
                .filter_map(move |(choice, _)| modification?.choice(*choice))
        });
        let mut allergens: Vec<String> = self
            .allergens
            .iter()
            .chain(chosen.flat_map(|choice| &choice.allergens))
            .cloned()
            .collect();
        allergens.sort_unstable();
        allergens.dedup();
        allergens
    }
}

impl Modification {
    /// One of its choices.
    #[must_use]
    pub fn choice(&self, id: ChoiceId) -> Option<&Choice> {
        self.choices.iter().find(|choice| choice.id == id)
    }
}

impl Choice {
    /// What one costs and adds in a cup.
    #[must_use]
    pub fn in_cup(&self, scale: Scale) -> Extra {
        self.by_scale.get(&scale).copied().unwrap_or_default()
    }
}
