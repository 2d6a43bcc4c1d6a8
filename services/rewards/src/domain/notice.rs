//! What consumers are told, in words.

use types::Money;

/// A message for an inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What it is about, for code.
    pub kind: &'static str,
    /// One line.
    pub title: String,
    /// A sentence or two.
    pub body: String,
}

/// How an order was paid, as far as a person needs to know where the money went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaidWith {
    /// Stored value.
    JoePass,
    /// A gift card.
    GiftCard,
    /// A card, or a wallet on the device that stands for one.
    Card,
    /// A bank account.
    Bank,
}

/// An order that will not be made, and what was given back for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended<'a> {
    /// Where.
    pub store: &'a str,
    /// Why, in the words of who ended it.
    pub why: &'a str,
    /// Whether a card or bank account was charged before. If not, the reason says so already.
    pub charged: bool,
    /// What it cost.
    pub total: Money,
    /// How it was paid.
    pub paid_with: PaidWith,
    /// The promo code that can be used again.
    pub code: Option<&'a str>,
}

impl Notice {
    /// Somebody registered.
    #[must_use]
    pub fn welcome() -> Self {
        Self {
            kind: "welcome",
            title: "Welcome to Order Ahead".to_owned(),
            body:
                "Your first order is 3 dollars off with the code WELCOME3. You earn points with every order."
                    .to_owned(),
        }
    }

    /// An order was completed and earned points.
    #[must_use]
    pub fn points_earned(points: i64, balance: i64, store: &str) -> Self {
        Self {
            kind: "points_earned",
            title: format!("You earned {points} points"),
            body: format!(
                "Thank you for your order{}. You have {balance} points now.",
                at(store)
            ),
        }
    }

    /// An order can be picked up.
    #[must_use]
    pub fn order_ready(store: &str, pickup_number: &str) -> Self {
        let number = if pickup_number.is_empty() {
            String::new()
        } else {
            format!(" It is number {pickup_number}.")
        };
        Self {
            kind: "order_ready",
            title: "Your order is ready".to_owned(),
            body: format!("Pick it up{}.{number}", at(store)),
        }
    }

    /// The store turned an order down.
    #[must_use]
    pub fn order_rejected(ended: Ended<'_>) -> Self {
        Self {
            kind: "order_rejected",
            title: "Your order could not be made".to_owned(),
            body: sentences([because(ended.why, ended.store), given_back(ended)]),
        }
    }

    /// The system called an order off.
    #[must_use]
    pub fn order_cancelled(ended: Ended<'_>) -> Self {
        Self {
            kind: "order_cancelled",
            title: "Your order was cancelled".to_owned(),
            body: sentences([because(ended.why, ended.store), given_back(ended)]),
        }
    }

    /// Money was sent back.
    #[must_use]
    pub fn refund_done(amount: Money) -> Self {
        Self {
            kind: "refund_done",
            title: format!("{amount} is on its way back"),
            body: "It can take a few days until you see it on your statement.".to_owned(),
        }
    }
}

fn at(store: &str) -> String {
    if store.is_empty() {
        String::new()
    } else {
        format!(" at {store}")
    }
}

fn because(why: &str, store: &str) -> String {
    match (why.trim_end_matches('.'), store) {
        ("", "") => "The store could not take your order.".to_owned(),
        ("", store) => format!("{store} could not take your order."),
        (why, "") => format!("{why}."),
        (why, store) => format!("{store}: {why}."),
    }
}

/// Those that say something, in a row.
fn sentences<const N: usize>(said: [String; N]) -> String {
    let mut said = said.to_vec();
    said.retain(|sentence| !sentence.is_empty());
    said.join(" ")
}

fn given_back(ended: Ended<'_>) -> String {
    let total = ended.total;
    let money = match ended.paid_with {
        PaidWith::Card | PaidWith::Bank if !ended.charged => String::new(),
        _ if !total.is_positive() => "Nothing was charged.".to_owned(),
        PaidWith::JoePass => format!("{total} is back on your JoePass."),
        PaidWith::GiftCard => format!("{total} is back on your gift card."),
        PaidWith::Card => format!("{total} goes back to your card."),
        PaidWith::Bank => format!("{total} goes back to your bank account."),
    };
    let code = ended
        .code
        .map(|code| format!("Your code {code} can be used again."));
    sentences([money, code.unwrap_or_default()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_was_given_back() {
        let ended = Ended {
            store: "Sunset & Maltman",
            why: "We are out of oat milk.",
            charged: true,
            total: Money::usd(1240),
            paid_with: PaidWith::JoePass,
            code: Some("WELCOME3"),
        };
        assert_eq!(
            Notice::order_rejected(ended).body,
            "Sunset & Maltman: We are out of oat milk. $12.40 is back on your JoePass. Your code WELCOME3 can be used again."
        );
        let free = Ended {
            why: "",
            total: Money::ZERO,
            code: None,
            ..ended
        };
        assert_eq!(
            Notice::order_cancelled(free).body,
            "Sunset & Maltman could not take your order. Nothing was charged."
        );
    }

    #[test]
    fn nothing_goes_back_that_was_not_charged() {
        let ended = Ended {
            store: "Sunset & Maltman",
            why: "The store did not answer in time. Nothing was charged.",
            charged: false,
            total: Money::usd(1240),
            paid_with: PaidWith::Card,
            code: Some("WELCOME3"),
        };
        assert_eq!(
            Notice::order_cancelled(ended).body,
            "Sunset & Maltman: The store did not answer in time. Nothing was charged. Your code WELCOME3 can be used again."
        );
        let without = Ended { code: None, ..ended };
        assert_eq!(
            Notice::order_cancelled(without).body,
            "Sunset & Maltman: The store did not answer in time. Nothing was charged."
        );
    }

    #[test]
    fn what_a_store_writes_takes_nothing_from_what_goes_back() {
        let ended = Ended {
            store: "Sunset & Maltman",
            why: "We are closing. Nothing was charged.",
            charged: true,
            total: Money::usd(1240),
            paid_with: PaidWith::Card,
            code: None,
        };
        let body = Notice::order_rejected(ended).body;
        assert!(body.ends_with("$12.40 goes back to your card."), "{body}");
    }

    #[test]
    fn says_where_and_which_number() {
        assert_eq!(
            Notice::order_ready("Sunset & Maltman", "42").body,
            "Pick it up at Sunset & Maltman. It is number 42."
        );
        assert_eq!(Notice::order_ready("", "").body, "Pick it up.");
        assert_eq!(Notice::points_earned(60, 180, "").title, "You earned 60 points");
    }
}
