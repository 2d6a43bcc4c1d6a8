use jiff::Timestamp;
use types::{ConsumerId, OrderId};
use uuid::Uuid;

use super::*;
use crate::domain::{
    message_text::{CatalogTexts, MessageText},
    order::StoredValue,
};

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
        stored_value: None,
        ready_at: None,
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
    built_in(&Notification::order_ended(order, code).unwrap()).body
}

fn built_in(notification: &Notification) -> MessageText {
    notification.text.render(&CatalogTexts::new())
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
fn each_part_of_a_payment_goes_back_to_where_it_came_from() {
    let paid_with = |tender, cents, name: &str, is_charged| EndedOrder {
        tender,
        is_charged,
        stored_value: Some(StoredValue {
            amount: Money::usd(cents),
            name: name.into(),
        }),
        ..rejected_order()
    };
    for (order, expected) in [
        (
            paid_with(Tender::Card, 400, "JoePass", true),
            "$4.00 is back on your JoePass. We'll refund $8.40 to your card.",
        ),
        (
            paid_with(Tender::ApplePay, 400, "Gift card", false),
            "$4.00 is back on your gift card. Your card wasn't charged.",
        ),
        (
            paid_with(Tender::JoePass, 1240, "Intelligentsia card", true),
            "$12.40 is back on your Intelligentsia card.",
        ),
    ] {
        let body = body(&order, None);
        assert!(body.ends_with(expected), "{body}");
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
        made_at: Timestamp::UNIX_EPOCH,
    };
    assert_eq!(
        built_in(&Notification::order_ready(&order)).body,
        "Pick it up at Sunset & Maltman. Your number is 42."
    );
    let without_details = ReadyOrder {
        store_name: String::new(),
        pickup_number: String::new(),
        ..order
    };
    assert_eq!(
        built_in(&Notification::order_ready(&without_details)).body,
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
        delayed_at: "2026-11-20T16:30:00Z".parse().unwrap(),
        store_name: "Sunset & Maltman".into(),
        reason: "The grinder is down.".into(),
        is_moved: false,
    };
    let notification = built_in(&Notification::order_delayed(&order));
    assert_eq!(notification.title, "Your order will be ready at 8:50 AM");
    assert_eq!(notification.body, "Sunset & Maltman: The grinder is down.");
    let on_sunday = DelayedOrder {
        ready_at: "2026-11-22T16:50:00Z[America/Los_Angeles]".parse().unwrap(),
        ..order.clone()
    };
    assert_eq!(
        built_in(&Notification::order_delayed(&on_sunday)).title,
        "Your order will be ready on Sunday at 8:50 AM"
    );
    let without_reason = DelayedOrder {
        reason: String::new(),
        ..order
    };
    assert_eq!(
        built_in(&Notification::order_delayed(&without_reason)).body,
        "Sunset & Maltman needs a little longer. We're sorry."
    );
}

#[test]
fn a_move_of_a_scheduled_order_is_not_called_a_delay() {
    let order = DelayedOrder {
        order_id: OrderId::from_uuid(Uuid::nil()),
        consumer_id: ConsumerId::from_uuid(Uuid::nil()),
        version: 3,
        ready_at: "2026-11-22T16:50:00Z[America/Los_Angeles]".parse().unwrap(),
        delayed_at: "2026-11-20T16:30:00Z".parse().unwrap(),
        store_name: "Sunset & Maltman".into(),
        reason: String::new(),
        is_moved: true,
    };
    let notification = built_in(&Notification::order_delayed(&order));
    assert_eq!(notification.title, "New pickup time: ready on Sunday at 8:50 AM");
    assert_eq!(
        notification.body,
        "Sunset & Maltman changed your pickup time. We're sorry."
    );
    let without_store = DelayedOrder {
        store_name: String::new(),
        ..order
    };
    assert_eq!(
        built_in(&Notification::order_delayed(&without_store)).body,
        "The store changed your pickup time. We're sorry."
    );
}

#[test]
fn earned_points_are_counted_in_singular_and_plural() {
    let order = CompletedOrder {
        order_id: OrderId::from_uuid(Uuid::nil()),
        consumer_id: ConsumerId::from_uuid(Uuid::nil()),
        store_id: None,
        is_in_app: false,
        earning: Money::usd(640),
        total: Money::usd(640),
        store_name: String::new(),
        completed_at: Timestamp::UNIX_EPOCH,
    };
    let notification = built_in(&Notification::points_earned(&order, 60, 180));
    assert_eq!(notification.title, "You earned 60 points");
    assert_eq!(
        notification.body,
        "Thanks for your order! You now have 180 points."
    );
    assert_eq!(
        built_in(&Notification::points_earned(&order, 1, 1)).title,
        "You earned 1 point"
    );
}

#[test]
fn a_refund_names_the_balance_or_says_that_it_takes_days() {
    let refund = |destination| built_in(&Notification::refund_done(Money::usd(350), &destination, 0));
    assert_eq!(
        refund(RefundDestination::PaymentMethod).title,
        "Your $3.50 refund is on its way"
    );
    for (name, body) in [
        ("JoePass", "It's back on your JoePass."),
        ("Gift card", "It's back on your gift card."),
        ("", "It's back on your balance."),
    ] {
        let notification = refund(RefundDestination::StoredValue(name.to_owned()));
        assert_eq!(
            (&*notification.title, &*notification.body),
            ("We refunded $3.50", body)
        );
    }
}
