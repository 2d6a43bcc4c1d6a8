//! Removal of a consumer: personal data is erased, amounts stay.

use proto::accounts::v1::{ConsumerEvent, ConsumerRemoved, consumer_event::Change};
use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{AddCardRequest, ChargeState};

use serde_json::json;
use testing::into_result;
use types::DebtId;

use crate::harness::{Card, Consumer, Harness, new_order_id, now, saved, top_up_request};

fn removed(consumer: &Consumer<'_>) -> ConsumerEvent {
    ConsumerEvent {
        consumer_id: consumer.id.to_string(),
        phone_hash: String::new(),
        change: Some(Change::Removed(ConsumerRemoved {})),
    }
}

#[tokio::test]
async fn removing_a_consumer_erases_personal_data() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness.authorize(order_id, &ada, &card).await.unwrap();
    harness.consume(&removed(&ada)).await;
    harness.consume(&removed(&ada)).await;
    harness.execute_effects().await;

    assert_eq!(harness.sandbox.count_attached_methods().await, 0);
    let rows: Vec<String> = sqlx::query_scalar(
        "SELECT payment_methods::text FROM payment_methods UNION ALL SELECT charges::text FROM charges",
    )
    .fetch_all(&harness.cx.pool)
    .await
    .unwrap();
    assert!(
        rows.iter()
            .all(|row| !row.contains("4242") && !row.contains("visa")),
        "{rows:?}"
    );
    let with_consumer: i64 = sqlx::query_scalar("SELECT count(*) FROM charges WHERE consumer_id IS NOT NULL")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!((with_consumer, harness.count_rows("charges").await), (0, 1));

    // The tombstone rejects later calls, also of a consumer who never had a card.
    let late = into_result(harness.grpc().add_card(ada.request(AddCardRequest {})).await);
    assert_eq!(late.unwrap_err().reason, "CONSUMER_REMOVED");
    let stranger = harness.consumer();
    harness.consume(&removed(&stranger)).await;
    let late = into_result(harness.grpc().add_card(stranger.request(AddCardRequest {})).await);
    assert_eq!(late.unwrap_err().reason, "CONSUMER_REMOVED");
    harness.shut_down().await;
}

#[tokio::test]
async fn a_charge_that_begins_during_the_removal_is_rejected() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let pool = &harness.cx.pool;
    let mut removal = kit::postgres::begin(pool).await.unwrap();
    sqlx::query("UPDATE provider_customers SET removed_at = now() WHERE consumer_id = $1")
        .bind(ada.id.uuid())
        .execute(&mut *removal)
        .await
        .unwrap();
    let commit = async {
        harness.database.wait_for_blocked(1).await;
        removal.commit().await.unwrap();
    };
    let (rejected, ()) = tokio::join!(harness.authorize(new_order_id(), &ada, &card), commit);
    assert_eq!(rejected.unwrap_err().reason, "PAYMENT_METHOD_UNKNOWN");
    assert_eq!(harness.count_rows("charges").await, 0);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_removal_waits_for_a_charge_that_begins_first() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    // A row of the same order delays the charge after it has locked the consumer.
    let mut delay = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    sqlx::query(
        "INSERT INTO charges (id, purpose, subject_id, state, target_state, created_at, updated_at)
         VALUES (gen_random_uuid(), 'order', $1, 'voided', 'released', now(), now())",
    )
    .bind(order_id.uuid())
    .execute(&mut *delay)
    .await
    .unwrap();
    let remove = async {
        harness.database.wait_for_blocked(1).await;
        harness.consume(&removed(&ada)).await;
    };
    let end_delay = async {
        harness.database.wait_for_blocked(2).await;
        delay.rollback().await.unwrap();
    };
    let (charged, (), ()) = tokio::join!(harness.authorize(order_id, &ada, &card), remove, end_delay);
    assert_eq!(charged.unwrap().state(), ChargeState::Authorized);
    let with_consumer: i64 = sqlx::query_scalar("SELECT count(*) FROM charges WHERE consumer_id IS NOT NULL")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!((with_consumer, harness.count_rows("charges").await), (0, 1));
    harness.shut_down().await;
}

#[tokio::test]
async fn the_open_purchase_of_a_removed_consumer_is_voided_or_refunded() {
    for (method, is_closed_first) in [
        (Card::NeedsAuthentication, true),
        (Card::NeedsAuthentication, false),
        (Card::Bank, true),
        (Card::Bank, false),
    ] {
        let harness = Harness::new().await;
        let (ada, method) = harness.consumer_with(method).await;
        let request = top_up_request(&ada, &method);
        let charge = harness.charge("gift-cards", request.clone()).await.unwrap();
        let is_debit = charge.state() == ChargeState::Processing;
        for is_close in [is_closed_first, !is_closed_first] {
            if is_close {
                harness.close_subject(request.subject.clone()).await;
            } else {
                harness.consume(&removed(&ada)).await;
            }
        }
        harness.execute_effects().await;
        let intent = harness.sandbox.intent().await;
        if is_debit {
            assert_eq!(intent["status"], "processing");
            let id = intent["id"].as_str().unwrap();
            harness
                .sandbox
                .admin(&format!("payment_intents/{id}/settle"), json!({}))
                .await;
            let refreshed = harness.refresh_subject(request.subject.clone()).await;
            assert_eq!(refreshed.state(), ChargeState::Closed);
            harness.execute_effects().await;
            assert_eq!(harness.sandbox.refunds().await.len(), 1);
        } else {
            assert_eq!(intent["status"], "canceled");
        }
        assert_eq!(harness.sandbox.held_or_captured_cents().await, 0);
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn a_payment_of_debts_and_a_removal_do_not_read_all_debts() {
    const TABLES: [&str; 2] = ["debts", "debt_recoveries"];
    let mut harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let id = ada.id;
    harness.use_one_connection().await;
    let ada = harness.consumer_of(id);
    let before = harness.count_sequential_scans(&TABLES).await;
    let unknown = DebtId::new(now()).to_string();
    ada.recover(&[unknown], saved(&card)).await.unwrap();
    harness.consume(&removed(&ada)).await;
    assert_eq!(harness.count_sequential_scans(&TABLES).await, before);
    harness.shut_down().await;
}
