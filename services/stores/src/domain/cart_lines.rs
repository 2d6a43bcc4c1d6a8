//! Validates the lines of a cart against a menu, and prices them.
//!
//! - A modification without choices on the line keeps its defaults. A modification with choices gets exactly these;
//!   quantity 0 removes a default.
//! - The cheapest choices of a modification are free, up to the number of included ones.
//! - Removing a default does not lower the price.

mod line_error;
mod price;

use std::collections::HashSet;

use types::{
    ChoiceId, ItemId, ModificationId, Money, MoneyError, SizeId,
    limits::{MAX_LINE_CHOICES, MAX_LINE_QUANTITY, MAX_NOTE_CHARS},
};

pub use line_error::LineError;
use price::choice_prices;
pub(crate) use price::default_price;

use super::{
    menu::{Choice, Item, ItemKind, ItemModification, Menu, Modification, Size},
    pickup::{PickupUnavailable, RequestedPickup},
    sold_out::SoldOut,
    store_view::StoreView,
};

/// A line as the client sent it. Ids that cannot be parsed are empty.
#[derive(Debug, Clone)]
pub struct CartLine {
    /// Chosen by the client; unique in its cart.
    pub(crate) id: String,
    pub(crate) item_id: Option<ItemId>,
    pub(crate) size_id: Option<SizeId>,
    pub(crate) quantity: u32,
    pub(crate) choices: Vec<CartChoice>,
    pub(crate) note: String,
}

#[derive(Debug, Clone)]
pub struct CartChoice {
    pub(crate) modification_id: Option<ModificationId>,
    pub(crate) choice_id: Option<ChoiceId>,
    /// 0 removes a default.
    pub(crate) quantity: u32,
}

/// Lines to validate and price, and the time for which they are ordered.
#[derive(Debug, Clone)]
pub struct ResolveLines {
    pub(crate) store_id: types::StoreId,
    pub(crate) lines: Vec<CartLine>,
    pub(crate) pickup: RequestedPickup,
}

/// The result of [`ResolveLines`].
#[derive(Debug)]
pub struct ResolvedLines {
    pub(crate) store: StoreView,
    /// The valid lines, in the order of the cart.
    pub(crate) lines: Vec<ResolvedLine>,
    /// The invalid lines, in the order of the cart.
    pub(crate) line_problems: Vec<LineProblem>,
    /// Make time of the valid lines.
    pub(crate) make_seconds: u32,
    /// The ready time if reserved now. If the store cannot meet the requested time, the earliest possible time.
    pub(crate) ready_at: jiff::Timestamp,
    /// The reason for which the store cannot meet the requested time.
    pub(crate) pickup_problem: Option<PickupUnavailable>,
}

/// A valid line with its price.
#[derive(Debug)]
pub struct ResolvedLine {
    pub(crate) line_id: String,
    pub(crate) item_id: ItemId,
    pub(crate) item_name: String,
    pub(crate) size_id: SizeId,
    pub(crate) size_name: String,
    pub(crate) kind: ItemKind,
    pub(crate) art: String,
    pub(crate) quantity: u32,
    /// The unit price, including choices.
    pub(crate) unit_price: Money,
    /// In the order of the menu.
    pub(crate) choices: Vec<ResolvedChoice>,
    pub(crate) note: String,
    /// Make time of the whole quantity.
    pub(crate) make_seconds: u32,
}

#[derive(Debug)]
pub struct ResolvedChoice {
    pub(crate) modification_id: ModificationId,
    pub(crate) modification_name: String,
    pub(crate) choice_id: ChoiceId,
    pub(crate) choice_name: String,
    /// 0 for a default of the item that the consumer left out.
    pub(crate) quantity: u32,
    /// The price of the whole quantity, without the included ones.
    pub(crate) price: Money,
    pub(crate) art_key: String,
    /// Whether it is a default of the item, in the default quantity.
    pub(crate) is_default: bool,
}

/// An invalid line.
#[derive(Debug, PartialEq, Eq)]
pub struct LineProblem {
    pub(crate) line_id: String,
    pub(crate) error: LineError,
}

/// Validates and prices each line. The results are in the order of the lines.
///
/// # Errors
/// [`MoneyError`] if prices of the menu overflow or differ in currency.
pub(crate) fn resolve(
    menu: &Menu,
    sold_out: &SoldOut,
    lines: Vec<CartLine>,
) -> Result<Vec<Result<ResolvedLine, LineProblem>>, MoneyError> {
    let mut seen = HashSet::new();
    lines
        .into_iter()
        .map(|line| {
            let line_id = line.id.clone();
            let resolved = if seen.insert(line_id.clone()) {
                resolve_line(menu, sold_out, line)?
            } else {
                Err(LineError::LineRepeated)
            };
            Ok(resolved.map_err(|error| LineProblem { line_id, error }))
        })
        .collect()
}

fn resolve_line(
    menu: &Menu,
    sold_out: &SoldOut,
    line: CartLine,
) -> Result<Result<ResolvedLine, LineError>, MoneyError> {
    let (item, size) = match find_item_and_size(menu, sold_out, &line) {
        Ok(found) => found,
        Err(error) => return Ok(Err(error)),
    };
    let mut unit_price = size.price;
    let mut choices = Vec::new();
    for offered in &item.modifications {
        let Some(modification) = menu.modification(offered.modification_id) else {
            continue;
        };
        let chosen = match chosen_quantities(sold_out, item, offered, modification, &line) {
            Ok(chosen) => chosen,
            Err(error) => return Ok(Err(error)),
        };
        choices.extend(left_out_defaults(&chosen, modification, offered));
        for choice in price_choices(&chosen, modification, offered, size)? {
            unit_price = unit_price.plus(choice.price)?;
            choices.push(choice);
        }
    }
    Ok(Ok(ResolvedLine {
        line_id: line.id,
        item_id: item.id,
        item_name: item.name.clone(),
        size_id: size.id,
        size_name: size.name.clone(),
        kind: item.kind,
        art: item.art.clone(),
        quantity: line.quantity,
        unit_price,
        choices,
        note: line.note,
        make_seconds: item.make_seconds.saturating_mul(line.quantity),
    }))
}

fn find_item_and_size<'menu>(
    menu: &'menu Menu,
    sold_out: &SoldOut,
    line: &CartLine,
) -> Result<(&'menu Item, &'menu Size), LineError> {
    if !(1..=MAX_LINE_QUANTITY).contains(&line.quantity) {
        return Err(LineError::QuantityInvalid);
    }
    if line.note.chars().count() > MAX_NOTE_CHARS {
        return Err(LineError::NoteTooLong);
    }
    let item = line
        .item_id
        .and_then(|id| menu.item(id))
        .ok_or(LineError::ItemUnknown)?;
    if sold_out.has_item(item) {
        return Err(LineError::ItemSoldOut(item.name.clone()));
    }
    let size = line
        .size_id
        .and_then(|id| item.size(id))
        .ok_or_else(|| LineError::SizeUnknown(item.name.clone()))?;
    if sold_out.has_size(size.id) {
        return Err(LineError::SizeSoldOut {
            item: item.name.clone(),
            size: size.name.clone(),
        });
    }
    let is_offered = |choice: &CartChoice| {
        choice.modification_id.is_some_and(|id| {
            item.modifications
                .iter()
                .any(|offered| offered.modification_id == id)
        })
    };
    if line.choices.len() > MAX_LINE_CHOICES || !line.choices.iter().all(is_offered) {
        return Err(LineError::ChoiceUnknown(item.name.clone()));
    }
    Ok((item, size))
}

/// Returns the choices of a modification that the line gets, in the order of the menu, after checking the limits.
fn chosen_quantities<'menu>(
    sold_out: &SoldOut,
    item: &Item,
    offered: &ItemModification,
    modification: &'menu Modification,
    line: &CartLine,
) -> Result<Vec<(&'menu Choice, u32)>, LineError> {
    let requested: Vec<&CartChoice> = line
        .choices
        .iter()
        .filter(|choice| choice.modification_id == Some(modification.id))
        .collect();
    let is_known = |choice: &&CartChoice| {
        choice
            .choice_id
            .is_some_and(|id| modification.choice(id).is_some())
    };
    if !requested.iter().all(is_known) {
        return Err(LineError::ChoiceUnknown(item.name.clone()));
    }
    let mut chosen = Vec::new();
    for choice in &modification.choices {
        let quantity = if requested.is_empty() {
            default_quantity(offered, choice.id)
        } else {
            requested_quantity(&requested, choice.id)
        };
        if quantity == 0 {
            continue;
        }
        let Some(quantity) = u32::try_from(quantity)
            .ok()
            .filter(|quantity| *quantity <= choice.max_quantity)
        else {
            return Err(choose_up_to(&choice.name, choice.max_quantity));
        };
        if sold_out.has_choice(choice.id) {
            return Err(LineError::ChoiceSoldOut(choice.name.clone()));
        }
        chosen.push((choice, quantity));
    }
    let total: u64 = chosen.iter().map(|(_, quantity)| u64::from(*quantity)).sum();
    if total < u64::from(offered.min) {
        return Err(LineError::ChoiceLimit(format!(
            "{}: choose at least {}.",
            modification.name, offered.min
        )));
    }
    if total > u64::from(offered.max) {
        return Err(choose_up_to(&modification.name, offered.max));
    }
    Ok(chosen)
}

fn choose_up_to(name: &str, max: u32) -> LineError {
    LineError::ChoiceLimit(format!("{name}: choose up to {max}."))
}

fn default_quantity(offered: &ItemModification, choice_id: ChoiceId) -> u64 {
    offered
        .defaults
        .iter()
        .filter(|(id, _)| *id == choice_id)
        .map(|(_, quantity)| u64::from(*quantity))
        .sum()
}

fn requested_quantity(requested: &[&CartChoice], choice_id: ChoiceId) -> u64 {
    requested
        .iter()
        .filter(|choice| choice.choice_id == Some(choice_id))
        .map(|choice| u64::from(choice.quantity))
        .sum()
}

/// Returns the defaults that the consumer left out, with quantity 0, so that the ticket shows them and a repeated order leaves
/// them out again. In a modification with a maximum of 1, the chosen choice implies it.
fn left_out_defaults(
    chosen: &[(&Choice, u32)],
    modification: &Modification,
    offered: &ItemModification,
) -> Vec<ResolvedChoice> {
    if offered.max == 1 && !chosen.is_empty() {
        return Vec::new();
    }
    let is_left_out = |choice: &&Choice| {
        default_quantity(offered, choice.id) > 0 && chosen.iter().all(|(chosen, _)| chosen.id != choice.id)
    };
    modification
        .choices
        .iter()
        .filter(is_left_out)
        .map(|choice| ResolvedChoice {
            modification_id: modification.id,
            modification_name: modification.name.clone(),
            choice_id: choice.id,
            choice_name: choice.name.clone(),
            quantity: 0,
            price: Money::ZERO,
            art_key: choice.art_key.clone(),
            is_default: false,
        })
        .collect()
}

/// Prices the choices of one modification. The cheapest ones are included.
fn price_choices(
    chosen: &[(&Choice, u32)],
    modification: &Modification,
    offered: &ItemModification,
    size: &Size,
) -> Result<Vec<ResolvedChoice>, MoneyError> {
    let prices = choice_prices(chosen, offered, size)?;
    let priced = chosen.iter().zip(prices);
    let resolved = priced.map(|(&(choice, quantity), price)| ResolvedChoice {
        modification_id: modification.id,
        modification_name: modification.name.clone(),
        choice_id: choice.id,
        choice_name: choice.name.clone(),
        quantity,
        price,
        art_key: choice.art_key.clone(),
        is_default: offered.defaults.contains(&(choice.id, quantity)),
    });
    Ok(resolved.collect())
}

#[cfg(test)]
mod tests;
