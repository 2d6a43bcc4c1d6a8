//! Notifications about stored value.

use prost::Message as _;
use proto::{
    giftcards::v1::{
        AutoReloadFailed, AutoReloaded, BalanceEvent, GiftCardDelivered, GiftCardIssued, PurchaseConfirmed,
        PurchaseEvent, PurchaseReturned, PurchaseSnapshot, RefundCredited, balance_event,
        purchase_event::Change,
    },
    rewards::v1::{NotificationEvent, notification_event},
};
use types::ConsumerId;

use crate::harness::{Harness, at, consumer_removed, delivery, new_consumer, new_order};

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
    let turned_off = AutoReloadFailed {
        message: "This payment method is no longer available.".into(),
        turned_off: true,
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
            Change::AutoReloadFailed(turned_off),
            "We couldn't add $25.00 to JoePass",
            "This payment method is no longer available. Automatic reloads are off. You can turn them on again in your wallet.",
        ),
        (
            Change::GiftCardDelivered(GiftCardDelivered::default()),
            "Your gift card was sent",
            "The $25.00 gift card is on its way to its recipient.",
        ),
        (
            Change::PurchaseReturned(PurchaseReturned::default()),
            "Your bank returned $25.00",
            "We took the amount off your balance.",
        ),
        (
            Change::PurchaseReturned(PurchaseReturned {
                was_pending: true,
                auto_reload_paused: true,
                ..PurchaseReturned::default()
            }),
            "Your bank returned $25.00",
            "We canceled the purchase. Your balance didn't change. Automatic reloads are paused for a day.",
        ),
        (
            Change::PurchaseReturned(PurchaseReturned {
                was_pending: true,
                ..PurchaseReturned::default()
            }),
            "Your bank returned $25.00",
            "We canceled the purchase. Your balance didn't change.",
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

/// A card that was sold for $25.00 and is worth $30.00.
fn delivered(buyer: ConsumerId, recipient_id: &str) -> PurchaseEvent {
    let delivered = GiftCardDelivered {
        recipient_id: recipient_id.to_owned(),
        value_minor_units: 3_000,
    };
    let mut event = event(buyer, Change::GiftCardDelivered(delivered));
    "gft_1".clone_into(&mut event.purchase.as_mut().unwrap().gift_card_id);
    event
}

/// Counts the requested notifications of a kind to a consumer.
async fn count_notifications(harness: &Harness, consumer_id: ConsumerId, kind: &str) -> usize {
    let payloads: Vec<Vec<u8>> =
        sqlx::query_scalar("SELECT payload FROM outbox WHERE kind = 'rewards.NotificationRequested'")
            .fetch_all(&harness.cx.pool)
            .await
            .unwrap();
    let events = payloads
        .iter()
        .map(|payload| NotificationEvent::decode(&payload[..]).unwrap());
    events
        .filter(|event| event.consumer_id == consumer_id.to_string())
        .filter(|event| {
            let Some(notification_event::Change::Requested(requested)) = &event.change else {
                return false;
            };
            requested.template == kind
        })
        .count()
}

#[tokio::test]
async fn the_recipient_of_a_gift_card_gets_one_message() {
    let harness = Harness::start().await;
    let (buyer, recipient) = (new_consumer(), new_consumer());
    let event = delivered(buyer, &recipient.to_string());
    let repeated = delivery(&event);
    for _ in 0..2 {
        harness.consume(&repeated).await.unwrap();
    }
    // Published again after a restore.
    harness.receive(event).await.unwrap();
    let inbox = harness.inbox(recipient, 0, 0).await;
    let [message] = inbox.messages.as_slice() else {
        panic!("{inbox:?}")
    };
    assert_eq!(
        (&*message.kind, &*message.title, &*message.body),
        (
            "gift_card_received",
            "You got a gift card",
            "It's worth $30.00. Open the text or email we sent you to add it to your wallet."
        )
    );
    for consumer in [buyer, recipient] {
        assert_eq!(
            count_notifications(&harness, consumer, "gift_card_received").await,
            usize::from(consumer == recipient)
        );
    }
    let kinds: Vec<_> = harness.inbox(buyer, 0, 0).await.messages;
    assert!(
        kinds.iter().all(|message| message.kind == "gift_card_delivered"),
        "{kinds:?}"
    );
    harness.close().await;
}

#[tokio::test]
async fn a_gift_card_for_the_buyer_or_for_no_consumer_has_no_message_for_a_recipient() {
    let harness = Harness::start().await;
    let buyer = new_consumer();
    for recipient_id in [String::new(), buyer.to_string()] {
        harness.receive(delivered(buyer, &recipient_id)).await.unwrap();
    }
    let messages = harness.inbox(buyer, 0, 0).await.messages;
    assert_eq!(messages.len(), 2);
    assert!(
        messages
            .iter()
            .all(|message| message.kind == "gift_card_delivered"),
        "{messages:?}"
    );
    harness.close().await;
}

#[tokio::test]
async fn the_message_about_a_gift_card_ends_with_the_account() {
    let harness = Harness::start().await;
    let (buyer, recipient) = (new_consumer(), new_consumer());
    let event = delivered(buyer, &recipient.to_string());
    harness.receive(event.clone()).await.unwrap();
    harness.receive(consumer_removed(recipient)).await.unwrap();
    assert_eq!(harness.inbox(recipient, 0, 0).await.total, 0);
    // A late event.
    harness.receive(event).await.unwrap();
    assert_eq!(harness.inbox(recipient, 0, 0).await.total, 0);
    assert_eq!(harness.inbox(buyer, 0, 0).await.total, 2, "one for each event");
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
