//! Texts of the notifications that consumers get.

use jiff::Zoned;
use types::Money;

use super::order::{
    CompletedOrder, DelayedOrder, EndReason, EndStatus, EndedOrder, ReadyOrder, Tender, UnpaidOrder,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// Type of notification, for code.
    pub kind: &'static str,
    pub title: String,
    pub body: String,
}

impl Notification {
    #[must_use]
    pub fn welcome() -> Self {
        Self {
            kind: "welcome",
            title: "Welcome to Order Ahead".to_owned(),
            body: "Get $3 off your first order with code WELCOME3. You'll earn points with every order."
                .to_owned(),
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
            ("", "") => "It's taking longer than planned. We're sorry.".to_owned(),
            ("", store) => format!("{store} needs a little longer. We're sorry."),
            (reason, "") => format!("{reason}."),
            (reason, store) => format!("{store}: {reason}."),
        };
        Self {
            kind: "order_delayed",
            title: format!("Your order will be ready at {}", format_time(&order.ready_at)),
            body: reason,
        }
    }

    /// Returns `None` if the consumer cancelled the order. `code` is the promo code that the order claimed.
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
        let total = order.total;
        let body = match order.store_name.as_str() {
            "" => format!("We couldn't charge {total} for your order. Please pay at the store."),
            store => {
                format!("We couldn't charge {total} for your order at {store}. Please pay at the store.")
            }
        };
        Self {
            kind: "payment_failed",
            title: "Your payment didn't go through".to_owned(),
            body,
        }
    }

    #[must_use]
    pub fn refund_done(amount: Money) -> Self {
        Self {
            kind: "refund_done",
            title: format!("Your {amount} refund is on its way"),
            body: "It can take a few days to show up on your statement.".to_owned(),
        }
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
    match order.tender {
        // Stored value is deducted when it is held, so it is returned in any case.
        Tender::JoePass => format!("{total} is back on your JoePass."),
        Tender::GiftCard => format!("{total} is back on your gift card."),
        _ if !order.is_charged => "You weren't charged.".to_owned(),
        Tender::Card | Tender::ApplePay | Tender::GooglePay => {
            format!("We'll refund {total} to your card.")
        }
        Tender::Bank => format!("We'll refund {total} to your bank account."),
    }
}

/// Joins the texts that are not empty.
fn join_sentences<const N: usize>(sentences: [String; N]) -> String {
    let mut sentences = Vec::from(sentences);
    sentences.retain(|sentence| !sentence.is_empty());
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use types::{ConsumerId, OrderId};
    use uuid::Uuid;

    use super::*;

    fn rejected_order() -> EndedOrder {
        EndedOrder {
            order_id: OrderId::from_uuid(Uuid::nil()),
            consumer_id: ConsumerId::from_uuid(Uuid::nil()),
            status: EndStatus::Rejected,
            reason: EndReason::RejectedByStore,
            is_charged: true,
            message: "We are out of oat milk.".into(),
            store_name: "Sunset & Maltman".into(),
            total: Money::usd(1240),
            tender: Tender::JoePass,
            ended_at: Timestamp::UNIX_EPOCH,
        }
    }

    fn cancelled_order(reason: EndReason) -> EndedOrder {
        EndedOrder {
            status: EndStatus::Cancelled,
            reason,
            is_charged: false,
            message: String::new(),
            tender: Tender::Card,
            ..rejected_order()
        }
    }

    fn body(order: &EndedOrder, code: Option<&str>) -> String {
        Notification::order_ended(order, code).unwrap().body
    }

    #[test]
    fn a_rejection_explains_the_reason_the_money_and_the_promo_code() {
        assert_eq!(
            body(&rejected_order(), Some("WELCOME3")),
            "Sunset & Maltman: We are out of oat milk. $12.40 is back on your JoePass. You can use promo code WELCOME3 again."
        );
        let free = EndedOrder {
            message: String::new(),
            total: Money::ZERO,
            ..rejected_order()
        };
        assert_eq!(
            body(&free, None),
            "Sunset & Maltman couldn't make your order. You weren't charged."
        );
    }

    #[test]
    fn a_charge_is_refunded_to_the_tender_and_a_hold_is_not() {
        for (tender, charged, not_charged) in [
            (
                Tender::Card,
                "We'll refund $12.40 to your card.",
                "You weren't charged.",
            ),
            (
                Tender::ApplePay,
                "We'll refund $12.40 to your card.",
                "You weren't charged.",
            ),
            (
                Tender::GooglePay,
                "We'll refund $12.40 to your card.",
                "You weren't charged.",
            ),
            (
                Tender::Bank,
                "We'll refund $12.40 to your bank account.",
                "You weren't charged.",
            ),
            (
                Tender::JoePass,
                "$12.40 is back on your JoePass.",
                "$12.40 is back on your JoePass.",
            ),
            (
                Tender::GiftCard,
                "$12.40 is back on your gift card.",
                "$12.40 is back on your gift card.",
            ),
        ] {
            for (is_charged, expected) in [(true, charged), (false, not_charged)] {
                let order = EndedOrder {
                    is_charged,
                    tender,
                    ..rejected_order()
                };
                assert_eq!(
                    body(&order, None),
                    format!("Sunset & Maltman: We are out of oat milk. {expected}")
                );
            }
        }
    }

    #[test]
    fn the_stores_explanation_does_not_replace_the_refund() {
        let order = EndedOrder {
            message: "We are closing. Nothing was charged.".into(),
            tender: Tender::Card,
            ..rejected_order()
        };
        let body = body(&order, None);
        assert!(body.ends_with("We'll refund $12.40 to your card."), "{body}");
    }

    #[test]
    fn a_cancellation_by_the_system_explains_its_reason() {
        for (reason, expected) in [
            (
                EndReason::NotAcceptedInTime,
                "Sunset & Maltman didn't accept your order in time. You weren't charged.",
            ),
            (
                EndReason::PaymentHoldExpired,
                "Your bank's hold on the payment expired. You weren't charged.",
            ),
            (
                EndReason::PaymentReturned,
                "Your bank returned the payment. You weren't charged.",
            ),
            (
                EndReason::PaymentCaptureFailed,
                "Your payment didn't go through. You weren't charged.",
            ),
        ] {
            let order = cancelled_order(reason);
            assert_eq!(body(&order, None), expected);
            assert_eq!(
                body(&order, Some("WELCOME3")),
                format!("{expected} You can use promo code WELCOME3 again.")
            );
        }
    }

    #[test]
    fn a_cancellation_by_the_consumer_has_no_notification() {
        let order = cancelled_order(EndReason::CancelledByConsumer);
        assert_eq!(Notification::order_ended(&order, Some("WELCOME3")), None);
    }

    #[test]
    fn a_ready_order_has_store_and_number_if_known() {
        let order = ReadyOrder {
            order_id: OrderId::from_uuid(Uuid::nil()),
            consumer_id: ConsumerId::from_uuid(Uuid::nil()),
            store_name: "Sunset & Maltman".into(),
            pickup_number: "42".into(),
            ready_at: Timestamp::UNIX_EPOCH,
        };
        assert_eq!(
            Notification::order_ready(&order).body,
            "Pick it up at Sunset & Maltman. Your number is 42."
        );
        let without_details = ReadyOrder {
            store_name: String::new(),
            pickup_number: String::new(),
            ..order
        };
        assert_eq!(
            Notification::order_ready(&without_details).body,
            "Pick it up now."
        );
    }

    #[test]
    fn a_delay_states_the_new_time_in_the_stores_zone_and_the_reason() {
        let order = DelayedOrder {
            order_id: OrderId::from_uuid(Uuid::nil()),
            consumer_id: ConsumerId::from_uuid(Uuid::nil()),
            version: 3,
            ready_at: "2026-11-20T16:50:00Z[America/Los_Angeles]".parse().unwrap(),
            delayed_at: Timestamp::UNIX_EPOCH,
            store_name: "Sunset & Maltman".into(),
            reason: "The grinder is down.".into(),
        };
        let notification = Notification::order_delayed(&order);
        assert_eq!(notification.title, "Your order will be ready at 8:50 AM");
        assert_eq!(notification.body, "Sunset & Maltman: The grinder is down.");
        let without_reason = DelayedOrder {
            reason: String::new(),
            ..order
        };
        assert_eq!(
            Notification::order_delayed(&without_reason).body,
            "Sunset & Maltman needs a little longer. We're sorry."
        );
    }

    #[test]
    fn earned_points_are_counted_in_singular_and_plural() {
        let order = CompletedOrder {
            order_id: OrderId::from_uuid(Uuid::nil()),
            consumer_id: ConsumerId::from_uuid(Uuid::nil()),
            earning: Money::usd(640),
            store_name: String::new(),
            completed_at: Timestamp::UNIX_EPOCH,
        };
        let notification = Notification::points_earned(&order, 60, 180);
        assert_eq!(notification.title, "You earned 60 points");
        assert_eq!(
            notification.body,
            "Thanks for your order! You now have 180 points."
        );
        assert_eq!(
            Notification::points_earned(&order, 1, 1).title,
            "You earned 1 point"
        );
    }
}
