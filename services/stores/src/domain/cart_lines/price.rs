//! Prices of choices.

use types::{Money, MoneyError};

use crate::domain::{
    menu::{Choice, Item, ItemModification, Menu, Size},
    sold_out::SoldOut,
};

/// Returns the prices of the chosen quantities of one modification, in their order. The cheapest choices are included.
pub(super) fn choice_prices(
    chosen: &[(&Choice, u32)],
    offered: &ItemModification,
    size: &Size,
) -> Result<Vec<Money>, MoneyError> {
    let unit_price = |position: usize| chosen[position].0.price_in(size.cup_size).price;
    let mut cheapest_first: Vec<usize> = (0..chosen.len()).collect();
    cheapest_first.sort_by_key(|&position| unit_price(position).minor_units());
    let mut prices = vec![Money::ZERO; chosen.len()];
    let mut included = offered.included;
    for position in cheapest_first {
        let quantity = chosen[position].1;
        let free = included.min(quantity);
        included -= free;
        prices[position] = unit_price(position).times(quantity - free)?;
    }
    Ok(prices)
}

/// Returns the price of an item in this size with its default choices. Those that are sold out are left out and not replaced.
///
/// # Errors
/// [`MoneyError`] if prices of the menu overflow or differ in currency.
pub(crate) fn default_price(
    menu: &Menu,
    sold_out: &SoldOut,
    item: &Item,
    size: &Size,
) -> Result<Money, MoneyError> {
    let mut price = size.price;
    for offered in &item.modifications {
        let Some(modification) = menu.modification(offered.modification_id) else {
            continue;
        };
        let defaults: Vec<_> = offered
            .defaults
            .iter()
            .filter(|(id, _)| !sold_out.has_choice(*id))
            .filter_map(|(id, quantity)| Some((modification.choice(*id)?, *quantity)))
            .collect();
        for choice_price in choice_prices(&defaults, offered, size)? {
            price = price.plus(choice_price)?;
        }
    }
    Ok(price)
}
