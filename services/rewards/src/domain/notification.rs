//! The notifications that consumers get.

use jiff::Zoned;
use types::Money;

use super::{
    message_text::{self as texts, FilledText},
    order::{
        CompletedOrder, DelayedOrder, EndReason, EndStatus, EndedOrder, ReadyOrder, RefundDestination,
        Tender, UnpaidOrder,
    },
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// Type of notification, for code.
    pub kind: &'static str,
    pub text: FilledText,
}

impl Notification {
    /// Returns whether it also goes out by push, SMS or email. Others are only in the inbox.
    #[must_use]
    pub fn is_sent_out(&self) -> bool {
        !matches!(self.kind, "welcome" | "points_earned")
    }

    #[must_use]
    pub fn welcome() -> Self {
        Self {
            kind: "welcome",
            text: FilledText::new(texts::WELCOME),
        }
    }

    /// `points` is what the order earned, `balance` the consumer's points afterwards.
    #[must_use]
    pub fn points_earned(order: &CompletedOrder, points: i64, balance: i64) -> Self {
        let text = FilledText::new(texts::POINTS_EARNED)
            .with("points", format_points(points))
            .with("balance", format_points(balance))
            .with("store", &order.store_name);
        Self {
            kind: "points_earned",
            text,
        }
    }

    /// `points` is what the consumer got, as the invited friend or as the consumer who invited them.
    #[must_use]
    pub fn invitation_rewarded(points: i64, is_friend: bool) -> Self {
        let text = if is_friend {
            texts::INVITATION_FRIEND
        } else {
            texts::INVITATION_REFERRER
        };
        Self {
            kind: "invitation_rewarded",
            text: FilledText::new(text).with("points", format_points(points)),
        }
    }

    #[must_use]
    pub fn order_ready(order: &ReadyOrder) -> Self {
        let text = FilledText::new(texts::ORDER_READY)
            .with("store", &order.store_name)
            .with("number", &order.pickup_number);
        Self {
            kind: "order_ready",
            text,
        }
    }

    #[must_use]
    pub fn order_delayed(order: &DelayedOrder) -> Self {
        let text = match (order.reason.trim_end_matches('.'), order.is_moved) {
            ("", true) => FilledText::new(texts::ORDER_MOVED),
            ("", false) => FilledText::new(texts::ORDER_DELAYED),
            (reason, true) => FilledText::new(texts::ORDER_MOVED_WITH_REASON).with("reason", reason),
            (reason, false) => FilledText::new(texts::ORDER_DELAYED_WITH_REASON).with("reason", reason),
        };
        Self {
            kind: "order_delayed",
            text: text
                .with("time", format_ready(order))
                .with("store", &order.store_name),
        }
    }

    /// Returns `None` if the consumer canceled the order. `code` is the promo code that the order claimed.
    #[must_use]
    pub fn order_ended(order: &EndedOrder, code: Option<&str>) -> Option<Self> {
        let text = explain_end(order)?
            .with("store", &order.store_name)
            .with_sentences("refund", explain_refund(order))
            .with("code", code.unwrap_or_default());
        let kind = match order.status {
            EndStatus::Cancelled => "order_cancelled",
            EndStatus::Rejected => "order_rejected",
        };
        Some(Self { kind, text })
    }

    #[must_use]
    pub fn payment_failed(order: &UnpaidOrder) -> Self {
        let text = FilledText::new(texts::PAYMENT_FAILED)
            .with("amount", order.amount.to_string())
            .with("store", &order.store_name);
        Self {
            kind: "payment_failed",
            text,
        }
    }

    /// `revoked_points` is what the order had earned for the amount.
    #[must_use]
    pub fn refund_done(amount: Money, destination: &RefundDestination, revoked_points: i64) -> Self {
        let text = match destination {
            RefundDestination::PaymentMethod => FilledText::new(texts::REFUND_DONE),
            RefundDestination::StoredValue(name) => {
                FilledText::new(texts::REFUND_DONE_TO_BALANCE).with("balance", name_in_sentence(name))
            }
        };
        Self {
            kind: "refund_done",
            text: text
                .with("amount", amount.to_string())
                .with("points", format_revoked_points(revoked_points)),
        }
    }
}

/// Empty if no points were revoked.
pub(super) fn format_revoked_points(points: i64) -> String {
    if points > 0 {
        format_points(points)
    } else {
        String::new()
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

fn explain_end(order: &EndedOrder) -> Option<FilledText> {
    let text = match order.reason {
        EndReason::CancelledByConsumer => return None,
        EndReason::RejectedByStore => match order.message.trim_end_matches('.') {
            "" => texts::ORDER_REJECTED,
            reason => {
                return Some(FilledText::new(texts::ORDER_REJECTED_WITH_REASON).with("reason", reason));
            }
        },
        EndReason::NotAcceptedInTime => texts::ORDER_NOT_ACCEPTED,
        EndReason::PaymentHoldExpired => texts::ORDER_HOLD_EXPIRED,
        EndReason::PaymentReturned => texts::ORDER_PAYMENT_RETURNED,
        EndReason::PaymentCaptureFailed => texts::ORDER_PAYMENT_FAILED,
        EndReason::PlacementFailed | EndReason::PlacementInterrupted => texts::ORDER_NOT_PLACED,
    };
    Some(FilledText::new(text))
}

fn explain_refund(order: &EndedOrder) -> Vec<FilledText> {
    let total = order.total;
    if !total.is_positive() {
        return vec![FilledText::new(texts::NOT_CHARGED)];
    }
    let Some(stored_value) = &order.stored_value else {
        return vec![explain_refund_of(order, total)];
    };
    // Stored value is deducted when it is held, so it is returned in any case.
    let returned = back_on_balance(stored_value.amount, &name_in_sentence(&stored_value.name));
    let rest = total.minus(stored_value.amount).ok();
    let Some(rest) = rest.filter(|rest| rest.is_positive()) else {
        return vec![returned];
    };
    let refund = if order.is_charged {
        explain_refund_of(order, rest)
    } else {
        FilledText::new(texts::CARD_NOT_CHARGED)
    };
    vec![returned, refund]
}

/// Explains what happens to an amount that the order's tender paid.
fn explain_refund_of(order: &EndedOrder, total: Money) -> FilledText {
    let text = match order.tender {
        // Orders of earlier releases.
        Tender::JoePass => return back_on_balance(total, "JoePass"),
        Tender::GiftCard => return back_on_balance(total, "gift card"),
        _ if !order.is_charged => return FilledText::new(texts::NOT_CHARGED),
        Tender::Card | Tender::ApplePay | Tender::GooglePay => texts::REFUND_TO_CARD,
        Tender::Bank => texts::REFUND_TO_BANK,
    };
    FilledText::new(text).with("amount", total.to_string())
}

fn back_on_balance(amount: Money, balance: &str) -> FilledText {
    FilledText::new(texts::BACK_ON_BALANCE)
        .with("amount", amount.to_string())
        .with("balance", balance)
}

/// A company's name keeps its capital letter: "gift card", "Intelligentsia card".
fn name_in_sentence(name: &str) -> String {
    match name {
        "Gift card" | "Physical gift card" => name.to_lowercase(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests;
