//! Debts: when a returned payment becomes one, and what it blocks.

use payments::workers::reconcile_charges::reconcile_charges;
use prost::Message as _;
use proto::giftcards::v1::{PurchaseEvent, PurchaseReturned, PurchaseSnapshot, purchase_event};
use proto::ordering::v1::TenderKind;
use proto::ordering::v1::order_event::Change;
use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{ChargeEvent, ChargeState, CheckDebtsRequest, charge_event};
use serde_json::json;
use testing::{into_result, request_from_service};

use crate::harness::{
    AMOUNT, Card, Consumer, Harness, Program, accepted, cancelled, completed, new_order_id, order_event,
    ready, saved, top_up_request,
};

/// What happens to an order that is paid by bank debit.
enum Step {
    Event(Change),
    Settle,
    Return,
    Refund(i64),
}

use Step::{Event, Refund, Return, Settle};

/// Runs the steps on a new order. Returns amount and fee of the debt, in cents.
async fn debt_after(harness: &Harness, ada: &Consumer<'_>, steps: Vec<Step>) -> Option<(i64, i64)> {
    let account = ada.add_method(Card::Bank).await;
    let order_id = new_order_id();
    harness.authorize(order_id, ada, &account).await.unwrap();
    let intent = harness.sandbox.intent().await["id"].as_str().unwrap().to_owned();
    for step in steps {
        match step {
            Event(change) => {
                harness
                    .consume(&order_event(order_id, TenderKind::Bank, change))
                    .await;
            }
            Settle => {
                let path = format!("payment_intents/{intent}/settle");
                harness.sandbox.admin(&path, json!({})).await;
                harness
                    .receive_webhooks_until(order_id, ChargeState::Succeeded)
                    .await;
            }
            Return => {
                let path = format!("payment_intents/{intent}/return");
                harness.sandbox.admin(&path, json!({})).await;
                harness
                    .receive_webhooks_until(order_id, ChargeState::Returned)
                    .await;
            }
            Refund(cents) => {
                let subject = crate::harness::order_subject(order_id).unwrap();
                harness.refund(subject, "part", cents).await.unwrap();
            }
        }
        harness.execute_effects().await;
    }
    let list = ada.failed_payments().await;
    let total = list.total_owed.unwrap().minor_units;
    let debt = list.payments.first()?;
    assert_eq!((debt.name.as_str(), debt.items.len()), ("Sunset & Maltman", 2));
    assert_eq!(debt.order_id, order_id.to_string());
    let amount = debt.total.as_ref().unwrap().minor_units;
    let fee = debt.penalty_fee.as_ref().unwrap().minor_units;
    assert_eq!(total, amount + fee);
    Some((amount, fee))
}

/// Tops up by a bank debit, which is returned. Returns the id of the purchase.
async fn returned_top_up(harness: &Harness, ada: &Consumer<'_>, account: &str) -> String {
    let request = top_up_request(ada, account);
    harness.charge("gift-cards", request.clone()).await.unwrap();
    let intent = harness.sandbox.intent().await["id"].as_str().unwrap().to_owned();
    let path = format!("payment_intents/{intent}/return");
    harness.sandbox.admin(&path, json!({})).await;
    harness
        .receive_webhooks_until_true("SELECT state = 'returned' FROM charges")
        .await;
    request.subject.unwrap().id
}

fn purchase_returned(purchase_id: &str, shortfall_minor_units: i64) -> PurchaseEvent {
    PurchaseEvent {
        purchase: Some(PurchaseSnapshot {
            purchase_id: purchase_id.to_owned(),
            ..PurchaseSnapshot::default()
        }),
        change: Some(purchase_event::Change::PurchaseReturned(PurchaseReturned {
            shortfall_minor_units,
            ..PurchaseReturned::default()
        })),
    }
}

#[tokio::test]
async fn a_returned_payment_is_a_debt_only_if_the_order_was_made_or_refunded() {
    for (name, steps, expected) in [
        ("before acceptance", vec![Return, Event(cancelled())], None),
        (
            "before it was made",
            vec![Event(accepted()), Return, Event(cancelled())],
            None,
        ),
        (
            "after it was made",
            vec![Event(accepted()), Event(ready()), Return],
            Some((AMOUNT, 500)),
        ),
        (
            "after it settled",
            vec![
                Event(accepted()),
                Event(ready()),
                Event(completed()),
                Settle,
                Return,
            ],
            Some((AMOUNT, 500)),
        ),
        (
            "before the event that it was made",
            vec![Return, Event(completed())],
            Some((AMOUNT, 500)),
        ),
        ("while a refund waits", vec![Event(cancelled()), Return], None),
        (
            "after it was refunded",
            vec![Settle, Event(cancelled()), Return],
            Some((AMOUNT, 0)),
        ),
        (
            "after a part was refunded",
            vec![Event(completed()), Settle, Refund(300), Return],
            Some((AMOUNT, 500)),
        ),
        (
            "with a refund that waits",
            vec![Event(completed()), Refund(300), Return],
            Some((AMOUNT, 500)),
        ),
    ] {
        let harness = Harness::new().await;
        let ada = harness.consumer();
        let debt = debt_after(&harness, &ada, steps).await;
        assert_eq!(debt, expected, "{name}");
        let events = harness.charge_events().await;
        let created = events
            .iter()
            .filter(|event| *event == "payments.DebtCreated")
            .count();
        assert_eq!(created, usize::from(expected.is_some()), "{name}: {events:?}");
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn the_event_of_a_debt_names_what_was_refunded() {
    for (steps, expected) in [
        (vec![Event(completed()), Settle, Return], 0),
        (vec![Event(completed()), Settle, Refund(300), Return], 300),
        (vec![Settle, Event(cancelled()), Return], AMOUNT),
    ] {
        let harness = Harness::new().await;
        let ada = harness.consumer();
        debt_after(&harness, &ada, steps).await.unwrap();
        let payload: Vec<u8> =
            sqlx::query_scalar("SELECT payload FROM outbox WHERE kind = 'payments.DebtCreated'")
                .fetch_one(&harness.cx.pool)
                .await
                .unwrap();
        let Some(charge_event::Change::DebtCreated(debt)) = ChargeEvent::decode(&*payload).unwrap().change
        else {
            panic!("another event")
        };
        assert_eq!(debt.refunded_minor_units, Some(expected));
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn webhooks_and_events_in_any_order_create_one_debt() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    debt_after(
        &harness,
        &ada,
        vec![Event(completed()), Return, Event(ready()), Event(accepted())],
    )
    .await;
    let mut webhooks = harness.sandbox.webhooks();
    webhooks.reverse();
    sqlx::query("DELETE FROM provider_events")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    for webhook in webhooks.iter().chain(&webhooks) {
        harness.receive_webhook(webhook).await.unwrap();
    }
    assert_eq!(harness.count_rows("debts").await, 1);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_consumer_with_debts_cannot_be_charged() {
    let harness = Harness::new().await;
    let (ada, eve) = (harness.consumer(), harness.consumer());
    debt_after(&harness, &ada, vec![Event(completed()), Return]).await;
    let card = ada.add_method(Card::Good).await;
    let error = harness.authorize(new_order_id(), &ada, &card).await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason, &*error.message),
        (
            kit::ErrorCode::Forbidden,
            "FAILED_ACH_PAYMENTS",
            "You have failed payment"
        )
    );
    let card_of_eve = eve.add_method(Card::Good).await;
    harness
        .authorize(new_order_id(), &eve, &card_of_eve)
        .await
        .unwrap();
    for (consumer, expected) in [(&ada, true), (&eve, false)] {
        let request = CheckDebtsRequest {
            consumer_id: consumer.id.to_string(),
        };
        let response = harness
            .grpc()
            .check_debts(request_from_service("gift-cards", request.clone()))
            .await;
        assert_eq!(into_result(response).unwrap().has_debts, expected);
        let foreign = harness.grpc().check_debts(ada.request(request)).await;
        assert_eq!(into_result(foreign).unwrap_err().reason, "FORBIDDEN");
    }
    harness.shut_down().await;
}

#[tokio::test]
async fn stored_value_that_was_spent_is_a_debt_once() {
    let harness = Harness::new().await;
    let (ada, account) = harness.consumer_with(Card::Bank).await;
    let purchase = returned_top_up(&harness, &ada, &account).await;
    harness.consume(&purchase_returned(&purchase, 0)).await;
    assert!(ada.failed_payments().await.payments.is_empty());
    for _ in 0..2 {
        harness.consume(&purchase_returned(&purchase, 700)).await;
    }
    let list = ada.failed_payments().await;
    assert_eq!(
        (list.payments.len(), list.total_owed.unwrap().minor_units),
        (1, 1_200)
    );
    assert_eq!(list.payments[0].order_id, "");
    harness.shut_down().await;
}

#[tokio::test]
async fn refunded_stored_value_is_a_debt_if_its_debit_is_returned_later() {
    let harness = Harness::new().await;
    let (ada, account) = harness.consumer_with(Card::Bank).await;
    let request = top_up_request(&ada, &account);
    harness.charge("gift-cards", request.clone()).await.unwrap();
    let intent = harness.sandbox.intent().await["id"].as_str().unwrap().to_owned();
    // Gift-cards has failed the purchase: its value is not issued.
    harness.close_subject(request.subject.clone()).await;
    for (step, query) in [
        ("settle", "SELECT state = 'succeeded' FROM charges"),
        ("return", "SELECT state = 'returned' FROM charges"),
    ] {
        let path = format!("payment_intents/{intent}/{step}");
        harness.sandbox.admin(&path, json!({})).await;
        harness.receive_webhooks_until_true(query).await;
        harness.execute_effects().await;
    }
    let list = ada.failed_payments().await;
    let fee = list.payments[0].penalty_fee.as_ref().unwrap().minor_units;
    assert_eq!(
        (list.payments.len(), list.total_owed.unwrap().minor_units, fee),
        (1, AMOUNT, 0)
    );
    assert_eq!(harness.audit_new().await, 0);
    harness.shut_down().await;
}

#[tokio::test]
async fn an_operator_lists_debts_and_waives_the_fee() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    debt_after(&harness, &ada, vec![Event(completed()), Return]).await;
    let debt_id = ada.failed_payments().await.payments[0].debt_id.clone();
    let program = Program::without_broker(&harness).await;
    let listed = program.output(&["debts", "list"]).unwrap();
    for part in [debt_id.as_str(), &ada.id.to_string(), "500"] {
        assert!(listed.contains(part), "{part}: {listed}");
    }
    for _ in 0..2 {
        program.output(&["debts", "waive-fee", &debt_id]).unwrap();
    }
    assert_eq!(
        ada.failed_payments().await.total_owed.unwrap().minor_units,
        AMOUNT
    );
    let unknown = types::DebtId::new(crate::harness::now()).to_string();
    program.output(&["debts", "waive-fee", &unknown]).unwrap_err();
    harness.shut_down().await;
}

#[tokio::test]
async fn a_debt_that_no_card_can_pay_is_written_off() {
    for (refunded, expected) in [(49, None), (50, Some((50, 0)))] {
        let harness = Harness::new().await;
        let ada = harness.consumer();
        let debt = debt_after(&harness, &ada, vec![Settle, Refund(refunded), Return]).await;
        assert_eq!(debt, expected);
        let events = harness.charge_events().await;
        let is_published = events.iter().any(|event| event == "payments.DebtCreated");
        assert_eq!(is_published, expected.is_some(), "{events:?}");
        let written_off = harness.count_rows("debts WHERE written_off_at IS NOT NULL").await;
        assert_eq!(written_off, i64::from(expected.is_none()));
        let card = ada.add_method(Card::Good).await;
        let next = harness.authorize(new_order_id(), &ada, &card).await;
        assert_eq!(next.is_ok(), expected.is_none());
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn a_debt_that_no_card_can_pay_without_the_waived_fee_is_written_off() {
    let harness = Harness::new().await;
    let (ada, account) = harness.consumer_with(Card::Bank).await;
    let purchase = returned_top_up(&harness, &ada, &account).await;
    harness.consume(&purchase_returned(&purchase, 49)).await;
    let list = ada.failed_payments().await;
    assert_eq!(list.total_owed.unwrap().minor_units, 549);
    let debt_id = list.payments[0].debt_id.clone();
    let program = Program::without_broker(&harness).await;
    for _ in 0..2 {
        let output = program.output(&["debts", "waive-fee", &debt_id]).unwrap();
        assert!(output.contains("written off"), "{output}");
    }
    assert!(ada.failed_payments().await.payments.is_empty());
    let card = ada.add_method(Card::Good).await;
    // A page that was open shows the debt.
    let recovered = ada.recover(&[debt_id], saved(&card)).await.unwrap();
    assert!(recovered.results[0].recovered);
    harness.authorize(new_order_id(), &ada, &card).await.unwrap();
    harness.shut_down().await;
}

#[tokio::test]
async fn a_debt_that_a_closed_attempt_has_paid_is_not_reconciled_again() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    debt_after(&harness, &ada, vec![Event(completed()), Return]).await;
    let debts = [ada.failed_payments().await.payments[0].debt_id.clone()];
    let card = ada.add_method(Card::Good).await;
    assert!(ada.recover(&debts, saved(&card)).await.unwrap().results[0].recovered);
    // The attempt was closed while the provider took the money.
    sqlx::query(
        "UPDATE charges SET target_state = 'released' WHERE purpose = 'debt' AND state = 'succeeded'",
    )
    .execute(&harness.cx.pool)
    .await
    .unwrap();
    sqlx::query(
        "UPDATE charges SET created_at = now() - interval '3 days', updated_at = now() - interval '2 days'",
    )
    .execute(&harness.cx.pool)
    .await
    .unwrap();
    assert_eq!(reconcile_charges(&harness.cx).await.unwrap(), 0);
    harness.shut_down().await;
}
