//! Texts of the notifications that consumers get.

use jiff::Zoned;
use types::Money;

use super::order::{
    CompletedOrder, DelayedOrder, EndReason, EndStatus, EndedOrder, ReadyOrder, RefundDestination, Tender,
    UnpaidOrder,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// Type of notification, for code.
    pub kind: &'static str,
    pub title: String,
    pub body: String,
}

/// Kinds of messages that catalogs can contain.
pub const EDITABLE_KINDS: [&str; 1] = [WELCOME];

const WELCOME: &str = "welcome";

/// The text of a message of a catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageText {
    pub title: String,
    pub body: String,
}

impl Notification {
    /// Returns whether it also goes out by push, SMS or email. Others are only in the inbox.
    #[must_use]
    pub fn is_sent_out(&self) -> bool {
        !matches!(self.kind, WELCOME | "points_earned")
    }

    /// `None` if no catalog contains a text.
    #[must_use]
    pub fn welcome(text: Option<MessageText>) -> Self {
        let MessageText { title, body } = text.unwrap_or_else(|| MessageText {
            title: "Welcome!".to_owned(),
            body: "You'll earn points with every order.".to_owned(),
        });
        Self {
            kind: WELCOME,
            title,
            body,
        }
    }

    /// `points` is what the order earned, `balance` the consumer's points afterwards.
    #[must_use]
    pub fn points_earned(order: &CompletedOrder, points: i64, balance: i64) -> Self {
        let thanks = match order.store_name.as_str() {
            "" => "Thanks for your order!".to_owned(),
            store => format!("Thanks for ordering at {store}!"),
        };
        Self {
            kind: "points_earned",
            title: format!("You earned {}", format_points(points)),
            body: format!("{thanks} You now have {}.", format_points(balance)),
        }
    }

    /// `points` is what the consumer got, as the invited friend or as the consumer who invited them.
    #[must_use]
    pub fn invitation_rewarded(points: i64, is_friend: bool) -> Self {
        let body = if is_friend {
            "Thanks for joining with an invitation."
        } else {
            "A friend you invited just picked up their first order."
        };
        Self {
            kind: "invitation_rewarded",
            title: format!("You earned {}", format_points(points)),
            body: body.to_owned(),
        }
    }

    #[must_use]
    pub fn order_ready(order: &ReadyOrder) -> Self {
        let pickup = match order.store_name.as_str() {
            "" => "Pick it up now.".to_owned(),
            store => format!("Pick it up at {store}."),
        };
        let number = match order.pickup_number.as_str() {
            "" => String::new(),
            number => format!("Your number is {number}."),
        };
        Self {
            kind: "order_ready",
            title: "Your order is ready".to_owned(),
            body: join_sentences([pickup, number]),
        }
    }

    #[must_use]
    pub fn order_delayed(order: &DelayedOrder) -> Self {
        let reason = match (order.reason.trim_end_matches('.'), order.store_name.as_str()) {
            ("", "") if order.is_moved => "The store changed your pickup time.".to_owned(),
            ("", store) if order.is_moved => format!("{store} changed your pickup time."),
            ("", "") => "It's taking longer than planned. We're sorry.".to_owned(),
            ("", store) => format!("{store} needs a little longer. We're sorry."),
            (reason, "") => format!("{reason}."),
            (reason, store) => format!("{store}: {reason}."),
        };
        let ready = format_ready(order);
        Self {
            kind: "order_delayed",
            title: if order.is_moved {
                format!("Your order moved: it's ready {ready}")
            } else {
                format!("Your order will be ready {ready}")
            },
            body: reason,
        }
    }

    /// Returns `None` if the consumer canceled the order. `code` is the promo code that the order claimed.
    #[must_use]
    pub fn order_ended(order: &EndedOrder, code: Option<&str>) -> Option<Self> {
        let explanation = explain_end(order)?;
        let code = code.map(|code| format!("You can use promo code {code} again."));
        let (kind, title) = match order.status {
            EndStatus::Cancelled => ("order_cancelled", "Your order was canceled"),
            EndStatus::Rejected => ("order_rejected", "Your order couldn't be made"),
        };
        Some(Self {
            kind,
            title: title.to_owned(),
            body: join_sentences([explanation, explain_refund(order), code.unwrap_or_default()]),
        })
    }

    #[must_use]
    pub fn payment_failed(order: &UnpaidOrder) -> Self {
        let amount = order.amount;
        let body = match order.store_name.as_str() {
            "" => format!("We couldn't charge {amount} for your order. Please pay at the store."),
            store => {
                format!("We couldn't charge {amount} for your order at {store}. Please pay at the store.")
            }
        };
        Self {
            kind: "payment_failed",
            title: "Your payment didn't go through".to_owned(),
            body,
        }
    }

    #[must_use]
    pub fn refund_done(amount: Money, destination: &RefundDestination) -> Self {
        let (title, body) = match destination {
            RefundDestination::PaymentMethod => (
                format!("Your {amount} refund is on its way"),
                "It can take a few days to show up on your statement.".to_owned(),
            ),
            RefundDestination::StoredValue(name) => (
                format!("We refunded {amount}"),
                match name_in_sentence(name).as_str() {
                    "" => "It's back on your balance.".to_owned(),
                    name => format!("It's back on your {name}."),
                },
            ),
        };
        Self {
            kind: "refund_done",
            title,
            body,
        }
    }
}

/// "at 8:50 AM", or "on Friday at 8:50 AM" if that is not the day of the change.
fn format_ready(order: &DelayedOrder) -> String {
    let ready_at = &order.ready_at;
    let today = order.delayed_at.to_zoned(ready_at.time_zone().clone()).date();
    let time = format_time(ready_at);
    if ready_at.date() == today {
        format!("at {time}")
    } else {
        format!("on {} at {time}", ready_at.strftime("%A"))
    }
}

/// "8:50 AM"
fn format_time(at: &Zoned) -> String {
    at.strftime("%-I:%M %p").to_string()
}

fn format_points(points: i64) -> String {
    match points {
        1 => "1 point".to_owned(),
        points => format!("{points} points"),
    }
}

fn explain_end(order: &EndedOrder) -> Option<String> {
    let store = match order.store_name.as_str() {
        "" => "The store",
        store => store,
    };
    let explanation = match order.reason {
        EndReason::CancelledByConsumer => return None,
        EndReason::RejectedByStore => {
            match (order.message.trim_end_matches('.'), order.store_name.as_str()) {
                ("", _) => format!("{store} couldn't make your order."),
                (message, "") => format!("{message}."),
                (message, store) => format!("{store}: {message}."),
            }
        }
        EndReason::NotAcceptedInTime => format!("{store} didn't accept your order in time."),
        EndReason::PaymentHoldExpired => "Your bank's hold on the payment expired.".to_owned(),
        EndReason::PaymentReturned => "Your bank returned the payment.".to_owned(),
        EndReason::PaymentCaptureFailed => "Your payment didn't go through.".to_owned(),
        EndReason::PlacementFailed | EndReason::PlacementInterrupted => {
            "We couldn't place your order.".to_owned()
        }
    };
    Some(explanation)
}

fn explain_refund(order: &EndedOrder) -> String {
    let total = order.total;
    if !total.is_positive() {
        return "You weren't charged.".to_owned();
    }
    let Some(stored_value) = &order.stored_value else {
        return explain_refund_of(order, total);
    };
    // Stored value is deducted when it is held, so it is returned in any case.
    let returned = format!(
        "{} is back on your {}.",
        stored_value.amount,
        name_in_sentence(&stored_value.name)
    );
    let Ok(rest) = total.minus(stored_value.amount) else {
        return returned;
    };
    if !rest.is_positive() {
        return returned;
    }
    let refund = if order.is_charged {
        explain_refund_of(order, rest)
    } else {
        "Your card wasn't charged.".to_owned()
    };
    join_sentences([returned, refund])
}

/// Explains what happens to an amount that the order's tender paid.
fn explain_refund_of(order: &EndedOrder, total: Money) -> String {
    match order.tender {
        // Orders of earlier releases.
        Tender::JoePass => format!("{total} is back on your JoePass."),
        Tender::GiftCard => format!("{total} is back on your gift card."),
        _ if !order.is_charged => "You weren't charged.".to_owned(),
        Tender::Card | Tender::ApplePay | Tender::GooglePay => {
            format!("We'll refund {total} to your card.")
        }
        Tender::Bank => format!("We'll refund {total} to your bank account."),
    }
}

/// A company's name keeps its capital letter: "gift card", "Intelligentsia card".
fn name_in_sentence(name: &str) -> String {
    match name {
        "Gift card" | "Physical gift card" => name.to_lowercase(),
        name => name.to_owned(),
    }
}

/// Joins the texts that are not empty.
fn join_sentences<const N: usize>(sentences: [String; N]) -> String {
    let mut sentences = Vec::from(sentences);
    sentences.retain(|sentence| !sentence.is_empty());
    sentences.join(" ")
}

#[cfg(test)]
mod tests;
