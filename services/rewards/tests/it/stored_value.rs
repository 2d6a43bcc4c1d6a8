//! Notifications about stored value.

use proto::giftcards::v1::{
    AutoReloadFailed, AutoReloaded, BalanceEvent, GiftCardDelivered, GiftCardIssued, PurchaseConfirmed,
    PurchaseEvent, PurchaseReturned, PurchaseSnapshot, RefundCredited, balance_event, purchase_event::Change,
};
use types::ConsumerId;

use crate::harness::{Harness, at, delivery, new_consumer, new_order};

fn event(consumer_id: ConsumerId, change: Change) -> PurchaseEvent {
    PurchaseEvent {
        purchase: Some(PurchaseSnapshot {
            consumer_id: consumer_id.to_string(),
            amount_minor_units: 2_500,
            currency: "usd".into(),
            changed_at: at().to_string(),
            ..PurchaseSnapshot::default()
        }),
        change: Some(change),
    }
}

#[tokio::test]
async fn each_change_is_notified_once() {
    let harness = Harness::start().await;
    let failed = AutoReloadFailed {
        message: "Your card was declined.".into(),
        ..AutoReloadFailed::default()
    };
    for (change, title, body) in [
        (
            Change::AutoReloaded(AutoReloaded {
                balance_minor_units: 3_499,
            }),
            "We added $25.00 to JoePass",
            "Your balance is $34.99. You can pause automatic reloads in your wallet anytime.",
        ),
        (
            Change::AutoReloadFailed(failed),
            "We couldn't add $25.00 to JoePass",
            "Your card was declined. Automatic reloads are paused for a day.",
        ),
        (
            Change::GiftCardDelivered(GiftCardDelivered {}),
            "Your gift card was sent",
            "The $25.00 gift card is on its way to its recipient.",
        ),
        (
            Change::PurchaseReturned(PurchaseReturned {
                shortfall_minor_units: 0,
            }),
            "Your bank returned $25.00",
            "We took the amount off your balance.",
        ),
        (
            Change::PurchaseConfirmed(PurchaseConfirmed { was_pending: false }),
            "We found your $25.00 payment",
            "The money is in your wallet, ready to use.",
        ),
        (
            Change::PurchaseConfirmed(PurchaseConfirmed { was_pending: true }),
            "Your $25.00 bank payment arrived",
            "The money is in your wallet, ready to use.",
        ),
    ] {
        let consumer = new_consumer();
        let delivery = delivery(&event(consumer, change));
        for _ in 0..2 {
            harness.consume(&delivery).await.unwrap();
        }
        let inbox = harness.inbox(consumer, 0, 0).await;
        let [message] = inbox.messages.as_slice() else {
            panic!("{inbox:?}")
        };
        assert_eq!((&*message.title, &*message.body), (title, body));
    }
    harness.close().await;
}

#[tokio::test]
async fn an_issued_card_is_not_notified() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let issued = event(consumer, Change::GiftCardIssued(GiftCardIssued {}));
    harness.receive(issued).await.unwrap();
    assert!(harness.inbox(consumer, 0, 0).await.messages.is_empty());
    harness.close().await;
}

#[tokio::test]
async fn a_credited_refund_names_its_order() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    let credited = RefundCredited {
        amount_minor_units: 530,
        currency: "usd".into(),
        order_id: order.to_string(),
        credited_at: at().to_string(),
        refund_id: String::new(),
    };
    let event = BalanceEvent {
        consumer_id: consumer.to_string(),
        balance_id: String::new(),
        change: Some(balance_event::Change::RefundCredited(credited)),
    };
    harness.receive(event).await.unwrap();
    let message = harness.latest_message(consumer).await.unwrap();
    assert_eq!(
        (&*message.title, &*message.order_id),
        ("We added $5.30 to JoePass", &*order.to_string())
    );
    harness.close().await;
}
