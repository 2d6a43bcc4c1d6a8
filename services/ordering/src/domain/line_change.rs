//! Changes of a cart's lines since they were priced.

use types::Money;

use super::{line::OrderLine, quote::LineProblem};

const PRICE_CHANGED: &str = "PRICE_CHANGED";
const OPTIONS_CHANGED: &str = "OPTIONS_CHANGED";

/// A change of one line, or of the whole cart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineChange {
    /// Empty if the change concerns the whole cart.
    pub line_id: String,
    /// Empty if the name is unknown.
    pub item_name: String,
    /// Reason code: `PRICE_CHANGED`, `OPTIONS_CHANGED`, or that of a [`LineProblem`] if the line cannot be ordered.
    pub reason: String,
    /// A sentence for the consumer.
    pub message: String,
    /// Previous unit price; absent if it is unknown.
    pub before: Option<Money>,
    /// Current unit price; absent if the line cannot be ordered.
    pub after: Option<Money>,
}

impl LineChange {
    #[must_use]
    pub fn is_price_change(&self) -> bool {
        self.reason == PRICE_CHANGED
    }
}

/// Compares lines with their current prices and options. Returns one change per line; lines that cannot be ordered come
/// first.
#[must_use]
pub fn find_changes(before: &[OrderLine], now: &[OrderLine], problems: &[LineProblem]) -> Vec<LineChange> {
    let line_before = |line_id: &str| before.iter().find(|line| line.line_id == line_id);
    let unavailable = problems
        .iter()
        .filter(|problem| !problem.line_id.is_empty())
        .map(|problem| {
            let line = line_before(&problem.line_id);
            let item_name = line.map(|line| line.item_name.clone()).unwrap_or_default();
            LineChange {
                line_id: problem.line_id.clone(),
                message: name_item(&item_name, &problem.message),
                item_name,
                reason: problem.reason.clone(),
                before: line.map(|line| line.unit_price),
                after: None,
            }
        });
    let changed = now
        .iter()
        .filter_map(|line| compare(line_before(&line.line_id)?, line));
    unavailable.chain(changed).collect()
}

/// Adds the item to a message about one of its choices, because the cart may have several items.
fn name_item(item_name: &str, message: &str) -> String {
    if message.contains(item_name) {
        message.to_owned()
    } else {
        format!("{item_name}: {message}")
    }
}

fn compare(before: &OrderLine, now: &OrderLine) -> Option<LineChange> {
    let (reason, message) = if before.unit_price != now.unit_price {
        let message = format!(
            "{} is now {} instead of {}.",
            now.item_name, now.unit_price, before.unit_price
        );
        (PRICE_CHANGED, message)
    } else if choices(before) != choices(now) {
        (
            OPTIONS_CHANGED,
            format!("The options of {} changed.", now.item_name),
        )
    } else {
        return None;
    };
    Some(LineChange {
        line_id: now.line_id.clone(),
        item_name: now.item_name.clone(),
        reason: reason.to_owned(),
        message,
        before: Some(before.unit_price),
        after: Some(now.unit_price),
    })
}

/// Returns the choices in a canonical order, independent of the menu. Left-out defaults have quantity 0; lines that earlier
/// releases stored do not list them.
fn choices(line: &OrderLine) -> Vec<(&str, &str, u32)> {
    let mut choices: Vec<_> = line
        .choices
        .iter()
        .filter(|choice| choice.quantity > 0)
        .map(|choice| {
            (
                choice.modification_id.as_str(),
                choice.choice_id.as_str(),
                choice.quantity,
            )
        })
        .collect();
    choices.sort_unstable();
    choices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::line::{ItemKind, OrderChoice};

    fn line(line_id: &str, cents: i64) -> OrderLine {
        let choice = |id: &str| OrderChoice {
            modification_id: "mod_1".into(),
            modification_name: "Milk".into(),
            choice_id: id.into(),
            choice_name: "Oat".into(),
            quantity: 1,
            price: Money::ZERO,
            art_key: String::new(),
            is_default: true,
        };
        OrderLine {
            line_id: line_id.into(),
            item_id: "itm_1".into(),
            item_name: "Latte".into(),
            size_id: "siz_1".into(),
            size_name: "Medium".into(),
            kind: ItemKind::Drink,
            art: "{}".into(),
            quantity: 2,
            unit_price: Money::usd(cents),
            choices: vec![choice("cho_1"), choice("cho_2")],
            note: String::new(),
            amount: Money::usd(cents * 2),
            discount: Money::ZERO,
        }
    }

    #[test]
    fn unchanged_lines_have_no_change() {
        let mut reordered = line("a", 500);
        reordered.choices.reverse();
        assert_eq!(find_changes(&[line("a", 500)], &[reordered], &[]), []);
    }

    #[test]
    fn a_line_that_was_stored_without_its_left_out_defaults_is_unchanged() {
        let mut now = line("a", 500);
        let mut left_out = now.choices[0].clone();
        (left_out.choice_id, left_out.quantity) = ("cho_3".into(), 0);
        now.choices.push(left_out);
        assert_eq!(find_changes(&[line("a", 500)], &[now], &[]), []);
    }

    #[test]
    fn a_message_about_a_choice_names_the_item() {
        let problem = LineProblem {
            line_id: "a".into(),
            reason: "CHOICE_SOLD_OUT".into(),
            message: "Oat is sold out.".into(),
        };
        let changes = find_changes(&[line("a", 500)], &[], &[problem]);
        assert_eq!(changes[0].message, "Latte: Oat is sold out.");
    }

    #[test]
    fn each_changed_line_has_one_change_and_unavailable_lines_come_first() {
        let before = [line("a", 500), line("b", 600), line("c", 700), line("d", 800)];
        let mut other_options = line("d", 800);
        other_options.choices.pop();
        let now = [line("a", 500), line("b", 625), other_options];
        let problem = |line_id: &str, reason: &str| LineProblem {
            line_id: line_id.into(),
            reason: reason.into(),
            message: "Latte is sold out.".into(),
        };
        let problems = [problem("", "STORE_CLOSED"), problem("c", "ITEM_SOLD_OUT")];
        let changes = find_changes(&before, &now, &problems);
        let summary: Vec<_> = changes
            .iter()
            .map(|change| {
                (
                    change.line_id.as_str(),
                    change.reason.as_str(),
                    change.before,
                    change.after,
                )
            })
            .collect();
        assert_eq!(
            summary,
            [
                ("c", "ITEM_SOLD_OUT", Some(Money::usd(700)), None),
                ("b", PRICE_CHANGED, Some(Money::usd(600)), Some(Money::usd(625))),
                ("d", OPTIONS_CHANGED, Some(Money::usd(800)), Some(Money::usd(800))),
            ]
        );
        assert_eq!(changes[1].message, "Latte is now $6.25 instead of $6.00.");
    }

    #[test]
    fn an_unavailable_line_without_a_price_before_is_a_change() {
        let problem = LineProblem {
            line_id: "a".into(),
            reason: "ITEM_UNKNOWN".into(),
            message: "That item is no longer on the menu.".into(),
        };
        let changes = find_changes(&[], &[line("b", 500)], &[problem]);
        assert_eq!(changes.len(), 1);
        assert_eq!((changes[0].before, changes[0].after), (None, None));
    }
}
