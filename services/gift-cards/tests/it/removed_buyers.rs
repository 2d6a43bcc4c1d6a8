//! Purchases of consumers who delete their account before the purchase is paid.

use std::{sync::Arc, time::Duration};

use gift_cards::{
    accounts::{CLOSED_ACCOUNTS, RECEIPTS},
    ops::recover_purchases::recover_purchases,
};
use kit::ServiceError;
use proto::{
    giftcards::v1::{
        AddFundsRequest, BuyGiftCardRequest, Purchase, PurchaseCompanyGiftCardRequest, RecipientKind,
        gift_cards_server::GiftCards as _,
    },
    payments::v1::ChargeState,
};
use testing::into_result;
use types::{CompanyId, ConsumerId};

use crate::{
    charge_events::{declined, returned, settled},
    fake_services::{AUTHENTICATED, BANK, CARD},
    gift_cards::{FakeSender, for_someone, recipient},
    harness::{Harness, at, consumer_removed, request_from_consumer, usd},
    purchases::source,
};

#[derive(Debug, Clone, Copy)]
enum Kind {
    TopUp,
    GiftCardForBuyer,
    GiftCardForSomeone,
    CompanyCard,
}

const KINDS: [Kind; 4] = [
    Kind::TopUp,
    Kind::GiftCardForBuyer,
    Kind::GiftCardForSomeone,
    Kind::CompanyCard,
];

async fn buy(
    harness: &Harness,
    consumer: ConsumerId,
    kind: Kind,
    method: &str,
) -> Result<Purchase, ServiceError> {
    let key = "key-of-a-test";
    let for_someone = BuyGiftCardRequest {
        payment: source(method),
        ..for_someone(key)
    };
    match kind {
        Kind::TopUp => {
            let request = AddFundsRequest {
                amount: usd(2_500),
                payment: source(method),
                idempotency_key: key.to_owned(),
                ..AddFundsRequest::default()
            };
            harness.add_funds(consumer, request).await
        }
        Kind::GiftCardForBuyer => {
            let request = BuyGiftCardRequest {
                recipient: recipient(RecipientKind::Self_, ""),
                ..for_someone
            };
            harness.buy(consumer, request).await
        }
        Kind::GiftCardForSomeone => harness.buy(consumer, for_someone).await,
        Kind::CompanyCard => {
            let request = PurchaseCompanyGiftCardRequest {
                company_id: CompanyId::new(at()).to_string(),
                amount: usd(2_500),
                payment: source(method),
                idempotency_key: key.to_owned(),
                ..PurchaseCompanyGiftCardRequest::default()
            };
            let request = request_from_consumer(consumer, request);
            into_result(harness.grpc().purchase_company_gift_card(request).await)
        }
    }
}

/// Asserts that nothing was issued, that the purchase has failed, and that it does not name its buyer.
async fn assert_closed(harness: &Harness, consumer: ConsumerId, context: &str) {
    assert_eq!(harness.services.paid(), 0, "{context}");
    for account in [RECEIPTS, CLOSED_ACCOUNTS] {
        assert_eq!(harness.sum_of_postings(account).await, 0, "{context}");
    }
    let rows: Vec<(String, bool, String)> = sqlx::query_as(
        "SELECT state, consumer_id = $1, payment_method_id || recipient_address || recipient_name FROM purchases",
    )
    .bind(consumer.uuid())
    .fetch_all(&harness.cx.pool)
    .await
    .unwrap();
    assert_eq!(rows, [("failed".to_owned(), false, String::new())], "{context}");
    let balances = harness.balances(consumer).await;
    assert!(
        balances.iter().all(|balance| balance.available == usd(0)),
        "{context}"
    );
    assert!(harness.purchase_events().await.is_empty(), "{context}");
}

#[tokio::test]
async fn an_unpaid_purchase_is_closed_when_its_buyer_is_removed() {
    for kind in KINDS {
        for method in [AUTHENTICATED, BANK] {
            let harness = Harness::start().await;
            let consumer = ConsumerId::new(at());
            buy(&harness, consumer, kind, method).await.unwrap();
            for _ in 0..2 {
                harness.receive(consumer_removed(consumer)).await.unwrap();
            }
            recover_purchases(&harness.cx).await.unwrap();
            assert_eq!(harness.services.charges()[0].state, ChargeState::Closed);
            assert_closed(&harness, consumer, &format!("{kind:?} {method}")).await;
            harness.close().await;
        }
    }
}

#[tokio::test]
async fn a_payment_that_settles_after_the_removal_is_refunded() {
    for kind in KINDS {
        for method in [AUTHENTICATED, BANK] {
            for is_recovered_first in [false, true] {
                let harness = Harness::start().await;
                let consumer = ConsumerId::new(at());
                let purchase = buy(&harness, consumer, kind, method).await.unwrap();
                harness
                    .services
                    .set_charge(&purchase.purchase_id, ChargeState::Succeeded);
                harness.receive(consumer_removed(consumer)).await.unwrap();
                if is_recovered_first {
                    recover_purchases(&harness.cx).await.unwrap();
                }
                for event in [settled, settled, declined, returned] {
                    harness.receive(event(&purchase)).await.unwrap();
                }
                harness.receive(consumer_removed(consumer)).await.unwrap();
                recover_purchases(&harness.cx).await.unwrap();
                assert_eq!(harness.services.charges()[0].state, ChargeState::Refunded);
                let context = format!("{kind:?} {method} {is_recovered_first}");
                assert_closed(&harness, consumer, &context).await;
                harness.close().await;
            }
        }
    }
}

#[tokio::test]
async fn a_purchase_that_is_being_charged_is_closed_when_its_buyer_is_removed() {
    for kind in KINDS {
        for method in [CARD, AUTHENTICATED, BANK] {
            let harness = Harness::start().await;
            let consumer = ConsumerId::new(at());
            let gate = harness.services.hold_charges().await;
            let remove = async {
                while harness.services.count("AuthorizeCharge") == 0 {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                harness.receive(consumer_removed(consumer)).await.unwrap();
                drop(gate);
            };
            let (_, ()) = tokio::join!(buy(&harness, consumer, kind, method), remove);
            recover_purchases(&harness.cx).await.unwrap();
            assert_closed(&harness, consumer, &format!("{kind:?} {method}")).await;
            harness.close().await;
        }
    }
}

#[tokio::test]
async fn a_purchase_waiting_since_before_the_tombstone_is_refunded_when_it_settles() {
    let harness = Harness::start().await;
    let consumer = ConsumerId::new(at());
    let purchase = buy(&harness, consumer, Kind::TopUp, BANK).await.unwrap();
    // Removed by the previous release, which left purchases as they were.
    harness.execute("UPDATE consumers SET removed_at = now()").await;
    harness
        .services
        .set_charge(&purchase.purchase_id, ChargeState::Succeeded);
    harness.receive(settled(&purchase)).await.unwrap();
    recover_purchases(&harness.cx).await.unwrap();
    assert_eq!(harness.services.charges()[0].state, ChargeState::Refunded);
    assert_closed(&harness, consumer, "settled").await;
    harness.close().await;
}

#[tokio::test]
async fn a_paid_gift_card_reaches_its_recipient_after_the_buyer_is_removed() {
    let harness = Harness::start().await;
    let consumer = ConsumerId::new(at());
    buy(&harness, consumer, Kind::GiftCardForSomeone, CARD)
        .await
        .unwrap();
    harness.receive(consumer_removed(consumer)).await.unwrap();
    recover_purchases(&harness.cx).await.unwrap();
    let sender = Arc::new(FakeSender::default());
    harness.deliver(&sender).await;
    assert_eq!(sender.codes().len(), 1);
    assert_eq!(harness.services.paid(), 2_500);
    harness.close().await;
}
