//! Debts of removed consumers: the next consumer with the phone number owes them.

use payments::workers::prune::prune;
use prost::Message as _;
use proto::accounts::v1::consumer_event::Change;
use proto::accounts::v1::{ConsumerEvent, ConsumerRegistered, ConsumerRemoved};
use proto::giftcards::v1::{PurchaseEvent, PurchaseReturned, PurchaseSnapshot, purchase_event};
use proto::ordering::v1::TenderKind;
use proto::payments::v1::{ChargeEvent, ChargeState, charge_event};
use serde_json::json;
use types::OrderId;

use crate::harness::{Card, Consumer, Harness, completed, new_order_id, order_event, saved, top_up_request};

const PHONE_HASH: &str = "a1";

fn registered(consumer: &Consumer<'_>, phone_hash: &str) -> ConsumerEvent {
    ConsumerEvent {
        consumer_id: consumer.id.to_string(),
        phone_hash: phone_hash.to_owned(),
        change: Some(Change::Registered(ConsumerRegistered::default())),
    }
}

fn removed(consumer: &Consumer<'_>, phone_hash: &str) -> ConsumerEvent {
    ConsumerEvent {
        change: Some(Change::Removed(ConsumerRemoved {})),
        ..registered(consumer, phone_hash)
    }
}

/// Completes an order that is paid by bank debit. Returns its id and the id of the payment intent.
async fn completed_order(harness: &Harness, ada: &Consumer<'_>) -> (OrderId, String) {
    let account = ada.add_method(Card::Bank).await;
    let order_id = new_order_id();
    harness.authorize(order_id, ada, &account).await.unwrap();
    harness
        .consume(&order_event(order_id, TenderKind::Bank, completed()))
        .await;
    let intent = harness.sandbox.intent().await["id"].as_str().unwrap().to_owned();
    (order_id, intent)
}

async fn return_debit(harness: &Harness, (order_id, intent): &(OrderId, String)) {
    harness
        .sandbox
        .admin(&format!("payment_intents/{intent}/return"), json!({}))
        .await;
    harness
        .receive_webhooks_until(*order_id, ChargeState::Returned)
        .await;
}

async fn count_debts(consumer: &Consumer<'_>) -> usize {
    consumer.failed_payments().await.payments.len()
}

async fn count_debts_with_hash(harness: &Harness) -> i64 {
    harness.count_rows("debts WHERE phone_hash IS NOT NULL").await
}

#[tokio::test]
async fn debts_belong_to_the_next_consumer_with_the_phone_number_only() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let order = completed_order(&harness, &ada).await;
    return_debit(&harness, &order).await;
    harness.consume(&removed(&ada, PHONE_HASH)).await;
    assert_eq!(count_debts(&ada).await, 0);
    let (stranger, again) = (harness.consumer(), harness.consumer());
    harness.consume(&registered(&stranger, "b2")).await;
    harness.consume(&registered(&stranger, "")).await;
    harness.consume(&registered(&again, PHONE_HASH)).await;
    assert_eq!(count_debts(&stranger).await, 0);
    assert_eq!(count_debts(&again).await, 1);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_debit_that_is_returned_after_the_removal_is_a_debt_of_the_next_consumer() {
    for is_registered_first in [true, false] {
        let harness = Harness::new().await;
        let ada = harness.consumer();
        harness.consume(&registered(&ada, PHONE_HASH)).await;
        let order = completed_order(&harness, &ada).await;
        harness.consume(&removed(&ada, PHONE_HASH)).await;
        let again = harness.consumer();
        if is_registered_first {
            harness.consume(&registered(&again, PHONE_HASH)).await;
            return_debit(&harness, &order).await;
        } else {
            return_debit(&harness, &order).await;
            assert_eq!(count_debts_with_hash(&harness).await, 1);
            harness.consume(&registered(&again, PHONE_HASH)).await;
        }
        assert_eq!(
            (count_debts(&again).await, count_debts(&ada).await),
            (1, 0),
            "{is_registered_first}"
        );
        assert_eq!(harness.count_rows("charge_phone_hashes").await, 0);
        assert_eq!(count_debts_with_hash(&harness).await, 0);

        // The next removal passes it on.
        harness.consume(&removed(&again, PHONE_HASH)).await;
        let third = harness.consumer();
        harness.consume(&registered(&third, PHONE_HASH)).await;
        assert_eq!((count_debts(&third).await, count_debts(&again).await), (1, 0));
        harness.shut_down().await;
    }
}

/// Returns the consumers of the published events about debts, oldest first, and whether the order was of a removed one. Empty if nobody
/// owes the debt yet.
async fn published_debtors(harness: &Harness) -> Vec<(String, bool)> {
    let query = "SELECT payload FROM outbox WHERE kind = 'payments.DebtCreated' ORDER BY position";
    let payloads: Vec<Vec<u8>> = sqlx::query_scalar(query)
        .fetch_all(&harness.cx.pool)
        .await
        .unwrap();
    let events = payloads
        .iter()
        .map(|payload| ChargeEvent::decode(payload.as_slice()).unwrap());
    events
        .map(|event| match event.change {
            Some(charge_event::Change::DebtCreated(debt)) => {
                (event.charge.unwrap().consumer_id, debt.of_removed_consumer)
            }
            change => panic!("{change:?}"),
        })
        .collect()
}

#[tokio::test]
async fn each_consumer_who_owes_a_debt_is_named_by_an_event() {
    for is_registered_first in [true, false] {
        let harness = Harness::new().await;
        let ada = harness.consumer();
        let order = completed_order(&harness, &ada).await;
        harness.consume(&removed(&ada, PHONE_HASH)).await;
        let (again, third) = (harness.consumer(), harness.consumer());
        let mut expected = vec![(again.id.to_string(), true), (third.id.to_string(), true)];
        if is_registered_first {
            harness.consume(&registered(&again, PHONE_HASH)).await;
            return_debit(&harness, &order).await;
        } else {
            return_debit(&harness, &order).await;
            harness.consume(&registered(&again, PHONE_HASH)).await;
            expected.insert(0, (String::new(), false));
        }
        // The registration of the third consumer is received before the removal of the second.
        harness.consume(&registered(&third, PHONE_HASH)).await;
        harness.consume(&removed(&again, PHONE_HASH)).await;
        assert_eq!(published_debtors(&harness).await, expected);
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn spent_value_that_is_returned_after_the_removal_is_a_debt_of_the_next_consumer() {
    let harness = Harness::new().await;
    let (ada, account) = harness.consumer_with(Card::Bank).await;
    let request = top_up_request(&ada, &account);
    harness.charge("gift-cards", request.clone()).await.unwrap();
    let intent = harness.sandbox.intent().await["id"].as_str().unwrap().to_owned();
    harness.consume(&removed(&ada, PHONE_HASH)).await;
    let again = harness.consumer();
    harness.consume(&registered(&again, PHONE_HASH)).await;
    let path = format!("payment_intents/{intent}/return");
    harness.sandbox.admin(&path, json!({})).await;
    harness
        .receive_webhooks_until_true("SELECT state = 'returned' FROM charges")
        .await;
    harness
        .consume(&PurchaseEvent {
            purchase: Some(PurchaseSnapshot {
                purchase_id: request.subject.unwrap().id,
                ..PurchaseSnapshot::default()
            }),
            change: Some(purchase_event::Change::PurchaseReturned(PurchaseReturned {
                shortfall_minor_units: 700,
                ..PurchaseReturned::default()
            })),
        })
        .await;
    assert_eq!(count_debts(&again).await, 1);
    harness.shut_down().await;
}

#[tokio::test]
async fn the_order_of_the_events_of_both_consumers_does_not_matter() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for is_returned_first in [true, false] {
            let harness = Harness::new().await;
            let ada = harness.consumer();
            let debit = completed_order(&harness, &ada).await;
            let again = harness.consumer();
            if is_returned_first {
                return_debit(&harness, &debit).await;
            }
            let events = [
                registered(&ada, PHONE_HASH),
                removed(&ada, PHONE_HASH),
                registered(&again, PHONE_HASH),
            ];
            for index in order {
                harness.consume(&events[index]).await;
            }
            if !is_returned_first {
                return_debit(&harness, &debit).await;
            }
            let debts = (count_debts(&again).await, count_debts(&ada).await);
            assert_eq!(debts, (1, 0), "{order:?} {is_returned_first}");
            assert_eq!(harness.count_rows("consumer_phones").await, 1, "{order:?}");
            assert_eq!(count_debts_with_hash(&harness).await, 0, "{order:?}");
            harness.shut_down().await;
        }
    }
}

#[tokio::test]
async fn hashes_are_kept_only_for_debits_that_can_be_returned_and_for_open_debts() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let paid = completed_order(&harness, &ada).await;
    return_debit(&harness, &paid).await;
    let debt_id = ada.failed_payments().await.payments[0].debt_id.clone();
    let card = ada.add_method(Card::Good).await;
    ada.recover(&[debt_id], saved(&card)).await.unwrap();
    let account = ada.list_methods().await;
    let account = account.iter().find(|method| method.r#type == "bank").unwrap();
    let (old, young) = (new_order_id(), new_order_id());
    for order_id in [old, young] {
        harness
            .authorize(order_id, &ada, &account.payment_method_id)
            .await
            .unwrap();
    }
    sqlx::query("UPDATE charges SET created_at = now() - interval '91 days' WHERE subject_id = $1")
        .bind(old.uuid())
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    harness.consume(&removed(&ada, PHONE_HASH)).await;
    let kept: Vec<uuid::Uuid> = sqlx::query_scalar(
        "SELECT charges.subject_id FROM charge_phone_hashes JOIN charges ON charges.id = charge_id",
    )
    .fetch_all(&harness.cx.pool)
    .await
    .unwrap();
    assert_eq!(kept, [young.uuid()]);
    assert_eq!(count_debts_with_hash(&harness).await, 0);
    assert_eq!(prune(&harness.cx).await.unwrap(), 0);
    sqlx::query("UPDATE charge_phone_hashes SET expires_at = now() - interval '1 minute'")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(prune(&harness.cx).await.unwrap(), 1);
    harness.shut_down().await;
}
