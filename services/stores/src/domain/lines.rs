//! Lines of a cart held against the menu: what is wrong with them, and what they cost.
//!
//! - A group that a line does not mention is made as the item comes. A group that it mentions is taken exactly as
//!   mentioned; quantity 0 of a choice leaves it out, so that what an item comes with can be taken away.
//! - Of what is taken in a group, as many as are included cost nothing: the cheapest ones.
//! - Taking less than what an item comes with gives nothing back.

use std::collections::HashSet;

use types::{ChoiceId, ItemId, ModificationId, Money, MoneyError, SizeId};

use super::{
    menu::{Choice, Extra, Group, Item, Kind, Menu, Modification, Size},
    sold_out::SoldOut,
};

/// The most lines of one cart.
pub const MOST_LINES: usize = 50;
/// The most of one line.
pub const MOST_QUANTITY: u32 = 20;
/// The longest note to the barista, characters.
pub const LONGEST_NOTE: usize = 200;
/// No cart names more choices than that in one line.
const MOST_CHOICES: usize = 100;

/// A line as the cart has it. Ids that cannot be read are nobody's.
#[derive(Debug, Clone)]
pub struct Line {
    /// Chosen by the client; unique in its cart.
    pub id: String,
    /// What is wanted.
    pub item: Option<ItemId>,
    /// In which size.
    pub size: Option<SizeId>,
    /// How many.
    pub quantity: u32,
    /// With what.
    pub choices: Vec<Wanted>,
    /// To the barista.
    pub note: String,
}

/// A choice as the cart has it.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Of which group.
    pub modification: Option<ModificationId>,
    /// Which.
    pub choice: Option<ChoiceId>,
    /// How many; 0 to leave it out.
    pub quantity: u32,
}

/// A line that can be made.
#[derive(Debug)]
pub struct Resolved<'menu> {
    /// What is wanted.
    pub item: &'menu Item,
    /// In which size.
    pub size: &'menu Size,
    /// What one costs with all that is chosen.
    pub unit_price: Money,
    /// With what, in the menu's order.
    pub choices: Vec<Taken<'menu>>,
}

/// A choice that is taken.
#[derive(Debug)]
pub struct Taken<'menu> {
    /// Of which group.
    pub modification: &'menu Modification,
    /// Which.
    pub choice: &'menu Choice,
    /// How many.
    pub quantity: u32,
    /// What all of them cost together, after what is included.
    pub price: Money,
    /// Whether it is what the item comes with.
    pub is_default: bool,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is no such item on this menu.
    #[error("This is no longer on the menu.")]
    ItemUnknown,
    /// The store is out of it.
    #[error("{0} is sold out.")]
    ItemSoldOut(String),
    /// The item has no such size.
    #[error("{0} does not come in this size.")]
    SizeUnknown(String),
    /// The store is out of this size.
    #[error("{item} is sold out in {size}.")]
    SizeSoldOut {
        /// The item's name.
        item: String,
        /// The size's name.
        size: String,
    },
    /// The item has no such choice.
    #[error("One of the options does not belong to {0}.")]
    ChoiceUnknown(String),
    /// The store is out of a choice.
    #[error("{0} is sold out.")]
    ChoiceSoldOut(String),
    /// Too few or too many of a group, or too many of one choice.
    #[error("{0}")]
    ChoiceLimit(String),
    /// None, or more than one line may hold.
    #[error("Choose between 1 and {MOST_QUANTITY} of an item.")]
    QuantityInvalid,
    /// Two lines of one id.
    #[error("Two lines of the cart have the same id.")]
    LineRepeated,
    /// A note that is too long.
    #[error("A note may have up to {LONGEST_NOTE} characters.")]
    NoteTooLong,
}

impl Problem {
    /// Stable, for code.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::ItemUnknown => "ITEM_UNKNOWN",
            Self::ItemSoldOut(_) => "ITEM_SOLD_OUT",
            Self::SizeUnknown(_) => "SIZE_UNKNOWN",
            Self::SizeSoldOut { .. } => "SIZE_SOLD_OUT",
            Self::ChoiceUnknown(_) => "CHOICE_UNKNOWN",
            Self::ChoiceSoldOut(_) => "CHOICE_SOLD_OUT",
            Self::ChoiceLimit(_) => "CHOICE_LIMIT",
            Self::QuantityInvalid => "QUANTITY_INVALID",
            Self::LineRepeated => "LINE_REPEATED",
            Self::NoteTooLong => "NOTE_TOO_LONG",
        }
    }
}

/// Holds each line against the menu. The answers are in the order of the lines.
///
/// # Errors
/// [`MoneyError`] where a menu's own prices do not fit.
pub fn resolve<'menu>(
    menu: &'menu Menu,
    sold_out: &SoldOut,
    lines: &[Line],
) -> Result<Vec<Result<Resolved<'menu>, Problem>>, MoneyError> {
    let mut seen = HashSet::new();
    lines
        .iter()
        .map(|line| {
            if !seen.insert(line.id.as_str()) {
                return Ok(Err(Problem::LineRepeated));
            }
            resolve_one(menu, sold_out, line)
        })
        .collect()
}

/// Seconds of making that these lines need together.
#[must_use]
pub fn make_seconds<'a>(lines: impl IntoIterator<Item = (&'a Resolved<'a>, u32)>) -> u32 {
    lines.into_iter().fold(0, |sum, (line, quantity)| {
        sum.saturating_add(line.item.make_seconds.saturating_mul(quantity))
    })
}

fn resolve_one<'menu>(
    menu: &'menu Menu,
    sold_out: &SoldOut,
    line: &Line,
) -> Result<Result<Resolved<'menu>, Problem>, MoneyError> {
    let (item, size) = match item_and_size(menu, sold_out, line) {
        Ok(found) => found,
        Err(problem) => return Ok(Err(problem)),
    };
    let mut unit_price = size.price;
    let mut choices = Vec::new();
    for group in &item.groups {
        let Some(modification) = menu.modification(group.modification) else {
            continue;
        };
        let taken = match taken(sold_out, item, group, modification, line) {
            Ok(taken) => taken,
            Err(problem) => return Ok(Err(problem)),
        };
        for taken in priced(taken, modification, group, size)? {
            unit_price = unit_price.plus(taken.price)?;
            choices.push(taken);
        }
    }
    Ok(Ok(Resolved {
        item,
        size,
        unit_price,
        choices,
    }))
}

fn item_and_size<'menu>(
    menu: &'menu Menu,
    sold_out: &SoldOut,
    line: &Line,
) -> Result<(&'menu Item, &'menu Size), Problem> {
    if !(1..=MOST_QUANTITY).contains(&line.quantity) {
        return Err(Problem::QuantityInvalid);
    }
    if line.note.chars().count() > LONGEST_NOTE {
        return Err(Problem::NoteTooLong);
    }
    let item = line
        .item
        .and_then(|id| menu.item(id))
        .ok_or(Problem::ItemUnknown)?;
    if sold_out.item(item) {
        return Err(Problem::ItemSoldOut(item.name.clone()));
    }
    let size = line
        .size
        .and_then(|id| item.size(id))
        .ok_or_else(|| Problem::SizeUnknown(item.name.clone()))?;
    if sold_out.size(size.id) {
        return Err(Problem::SizeSoldOut {
            item: item.name.clone(),
            size: size.name.clone(),
        });
    }
    let offered = |wanted: &Wanted| {
        wanted
            .modification
            .is_some_and(|id| item.groups.iter().any(|group| group.modification == id))
    };
    if line.choices.len() > MOST_CHOICES || !line.choices.iter().all(offered) {
        return Err(Problem::ChoiceUnknown(item.name.clone()));
    }
    Ok((item, size))
}

/// What is taken of a group, in the menu's order, its limits checked.
fn taken<'menu>(
    sold_out: &SoldOut,
    item: &Item,
    group: &Group,
    modification: &'menu Modification,
    line: &Line,
) -> Result<Vec<(&'menu Choice, u32)>, Problem> {
    let mentioned: Vec<&Wanted> = line
        .choices
        .iter()
        .filter(|wanted| wanted.modification == Some(modification.id))
        .collect();
    let known = |wanted: &&Wanted| wanted.choice.is_some_and(|id| modification.choice(id).is_some());
    if !mentioned.iter().all(known) {
        return Err(Problem::ChoiceUnknown(item.name.clone()));
    }
    let quantity_of = |choice: &Choice| -> u64 {
        if mentioned.is_empty() {
            return group
                .defaults
                .iter()
                .filter(|(id, _)| *id == choice.id)
                .map(|(_, count)| u64::from(*count))
                .sum();
        }
        let same = mentioned.iter().filter(|wanted| wanted.choice == Some(choice.id));
        same.map(|wanted| u64::from(wanted.quantity)).sum()
    };
    let mut taken = Vec::new();
    for choice in &modification.choices {
        let quantity = quantity_of(choice);
        if quantity == 0 {
            continue;
        }
        let Some(quantity) = u32::try_from(quantity)
            .ok()
            .filter(|quantity| *quantity <= choice.max_quantity)
        else {
            return Err(Problem::ChoiceLimit(format!(
                "Choose at most {} of {}.",
                choice.max_quantity, choice.name
            )));
        };
        if sold_out.choice(choice.id) {
            return Err(Problem::ChoiceSoldOut(choice.name.clone()));
        }
        taken.push((choice, quantity));
    }
    let total: u64 = taken.iter().map(|(_, quantity)| u64::from(*quantity)).sum();
    if total < u64::from(group.min) {
        return Err(Problem::ChoiceLimit(format!(
            "{}: choose at least {}.",
            modification.name, group.min
        )));
    }
    if total > u64::from(group.max) {
        return Err(Problem::ChoiceLimit(format!(
            "{}: choose at most {}.",
            modification.name, group.max
        )));
    }
    Ok(taken)
}

/// Prices what is taken of a group: the cheapest are the included ones.
fn priced<'menu>(
    taken: Vec<(&'menu Choice, u32)>,
    modification: &'menu Modification,
    group: &Group,
    size: &Size,
) -> Result<Vec<Taken<'menu>>, MoneyError> {
    let mut cheapest: Vec<usize> = (0..taken.len()).collect();
    let each = |place: usize| -> Extra { taken[place].0.in_cup(size.scale) };
    cheapest.sort_by_key(|&place| each(place).price.minor_units());
    let mut free = vec![0_u32; taken.len()];
    let mut left = group.included;
    for place in cheapest {
        free[place] = left.min(taken[place].1);
        left -= free[place];
    }
    taken
        .iter()
        .enumerate()
        .map(|(place, &(choice, quantity))| {
            Ok(Taken {
                modification,
                choice,
                quantity,
                price: each(place).price.times(quantity - free[place])?,
                is_default: group.defaults.contains(&(choice.id, quantity)),
            })
        })
        .collect()
}

impl Resolved<'_> {
    /// Drink or food.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.item.kind
    }
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
