//! Gift cards for recipients who are consumers.

use std::sync::Arc;

use jiff::SignedDuration;
use proto::giftcards::v1::{BuyGiftCardRequest, RecipientKind, purchase_event::Change};
use types::ConsumerId;

use crate::{
    gift_cards::{FakeSender, assert_not_stored, for_someone, recipient},
    harness::{Harness, at},
};

fn for_phone(key: &str, phone: &str) -> BuyGiftCardRequest {
    BuyGiftCardRequest {
        recipient: recipient(RecipientKind::Phone, phone),
        ..for_someone(key)
    }
}

/// Returns the recipients in the events about deliveries.
async fn delivered_to(harness: &Harness) -> Vec<String> {
    let events = harness.purchase_events().await.into_iter();
    events
        .filter_map(|event| match event.change {
            Some(Change::GiftCardDelivered(delivered)) => {
                assert_eq!(delivered.value_minor_units, 2_500);
                Some(delivered.recipient_id)
            }
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn the_event_names_the_consumer_who_receives_the_card_and_no_address() {
    let harness = Harness::start().await;
    let (buyer, sam) = (ConsumerId::new(at()), ConsumerId::new(at()));
    harness.services.add_recipient("+12135550100", sam);
    harness.services.add_recipient("sam@example.com", sam);
    harness.services.add_recipient("+12135550111", buyer);
    for (request, expected) in [
        (for_phone("to-a-number", "(213) 555-0100"), sam.to_string()),
        (for_someone("to-an-address"), sam.to_string()),
        (for_phone("to-a-stranger", "(213) 555-0122"), String::new()),
        (for_phone("to-the-buyer", "(213) 555-0111"), String::new()),
    ] {
        harness.buy(buyer, request.clone()).await.unwrap();
        assert_eq!(harness.deliver(&Arc::default()).await, 1);
        let delivered = delivered_to(&harness).await;
        assert_eq!(delivered.last(), Some(&expected), "{}", request.idempotency_key);
    }
    let personal = ["2135550", "sam@example.com", "Sam"];
    assert_not_stored(&harness, &personal).await;
    let events = format!("{:?}", harness.purchase_events().await);
    for text in personal {
        assert!(!events.contains(text), "{events}");
    }
    harness.close().await;
}

#[tokio::test]
async fn a_card_is_sent_though_accounts_does_not_respond() {
    let harness = Harness::start().await;
    let (buyer, sam) = (ConsumerId::new(at()), ConsumerId::new(at()));
    harness.services.add_recipient("sam@example.com", sam);
    harness.services.set_accounts_down(true);
    let sender = Arc::new(FakeSender::default());
    // Soon available again.
    harness.buy(buyer, for_someone("a-short-outage")).await.unwrap();
    assert_eq!(harness.deliver(&sender).await, 1);
    assert!(sender.codes().is_empty());
    harness.services.set_accounts_down(false);
    harness.pass_time(SignedDuration::from_mins(1)).await;
    harness.deliver(&sender).await;
    assert_eq!(delivered_to(&harness).await, [sam.to_string()]);

    harness.services.set_accounts_down(true);
    harness.buy(buyer, for_someone("a-long-outage")).await.unwrap();
    for _ in 0..4 {
        assert_eq!(sender.codes().len(), 1);
        harness.deliver(&sender).await;
        harness.pass_time(SignedDuration::from_mins(1)).await;
    }
    assert_eq!(sender.codes().len(), 2);
    assert_eq!(delivered_to(&harness).await, [sam.to_string(), String::new()]);
    harness.close().await;
}
