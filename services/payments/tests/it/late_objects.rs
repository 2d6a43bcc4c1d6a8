//! Objects that the provider shows after their charge was voided. After a server error it can create the object later.

use payments::compare_with_provider::compare_with_provider;
use payments::workers::{effects::execute_due_effects, reconcile_charges::reconcile_charges};
use proto::payments::v1::AuthorizeChargeRequest;
use serde_json::{Value, json};

use crate::harness::{
    AMOUNT, Card, Harness, OWED, authorize_request, new_order_id, now, owe, reasons, saved, set_age,
    top_up_request,
};

const CREATE_PATH: &str = "/v1/payment_intents";

/// How payments finds the late object.
#[derive(Debug, Clone, Copy)]
enum Report {
    Webhook,
    Comparison,
}

/// Values of the newest charge that has no object at the provider.
#[derive(Debug, sqlx::FromRow)]
struct ChargeRow {
    id: types::ChargeId,
    customer: String,
    method: String,
    amount: i64,
    capture: String,
}

/// Creates the object that the authorization of the newest charge without an object asked for. Returns its id.
async fn create_late_object(harness: &Harness) -> String {
    let row: ChargeRow = sqlx::query_as(
        "SELECT id, provider_customer_id AS customer, provider_method_id AS method, amount_minor_units AS amount, capture
         FROM charges WHERE provider_id IS NULL AND amount_minor_units IS NOT NULL",
    )
    .fetch_one(&harness.cx.pool)
    .await
    .unwrap();
    let capture_method = if row.capture == "later" {
        "manual"
    } else {
        "automatic"
    };
    harness
        .sandbox
        .create_late_intent(&[
            ("amount", row.amount.to_string()),
            ("currency", "usd".to_owned()),
            ("confirm", "true".to_owned()),
            ("customer", row.customer),
            ("payment_method", row.method),
            ("capture_method", capture_method.to_owned()),
            ("metadata[charge_id]", row.id.to_string()),
        ])
        .await
}

impl Report {
    const ALL: [Self; 2] = [Self::Webhook, Self::Comparison];

    async fn receive(self, harness: &Harness) {
        match self {
            Self::Webhook => {
                harness
                    .receive_webhooks_until_true("SELECT bool_and(provider_id IS NOT NULL) FROM charges")
                    .await;
            }
            Self::Comparison => {
                let since = now() - jiff::SignedDuration::from_hours(1);
                let comparison = compare_with_provider(&harness.cx, since).await.unwrap();
                assert_eq!(comparison.differences, []);
            }
        }
    }
}

/// Authorizes with a server error, closes the charge, and voids it, although the provider shows no object.
async fn void_after_server_error(harness: &Harness, service: &str, request: AuthorizeChargeRequest) {
    harness
        .sandbox
        .inject_fault("error", CREATE_PATH, json!({}))
        .await;
    let subject = request.subject.clone();
    harness.charge(service, request).await.unwrap_err();
    harness.close_subject(subject).await;
    harness.execute_effects().await;
    assert_eq!(harness.count_rows("charges WHERE state = 'voided'").await, 1);
}

#[tokio::test]
async fn a_late_hold_is_voided() {
    for report in Report::ALL {
        let harness = Harness::new().await;
        let (ada, card) = harness.consumer_with(Card::Good).await;
        let request = authorize_request(new_order_id(), &ada, &card);
        void_after_server_error(&harness, "ordering", request).await;
        create_late_object(&harness).await;
        assert_eq!(harness.sandbox.held_or_captured_cents().await, AMOUNT);
        report.receive(&harness).await;
        harness.execute_effects().await;
        assert_eq!(harness.sandbox.held_or_captured_cents().await, 0, "{report:?}");
        assert_eq!(harness.count_rows("charges WHERE state = 'voided'").await, 1);
        assert!(harness.charge_events().await.is_empty(), "{report:?}");
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn a_late_purchase_is_refunded() {
    for report in Report::ALL {
        let harness = Harness::new().await;
        let (ada, card) = harness.consumer_with(Card::Good).await;
        void_after_server_error(&harness, "gift-cards", top_up_request(&ada, &card)).await;
        create_late_object(&harness).await;
        assert_eq!(harness.sandbox.held_or_captured_cents().await, AMOUNT);
        report.receive(&harness).await;
        harness.execute_effects().await;
        assert_eq!(harness.sandbox.held_or_captured_cents().await, 0, "{report:?}");
        assert_eq!(harness.count_rows("charges WHERE state = 'refunded'").await, 1);
        harness.shut_down().await;
    }
}

/// The consumer was asked to pay again, and has.
#[tokio::test]
async fn a_late_payment_of_a_debt_is_refunded() {
    for report in Report::ALL {
        for is_paid_before in [true, false] {
            let harness = Harness::new().await;
            let ada = harness.consumer();
            let debts = owe(&harness, &ada, 1).await;
            let (visa, other) = (ada.add_method(Card::Good).await, ada.add_method(Card::Good).await);
            let times = if is_paid_before { 1 } else { 100 };
            harness
                .sandbox
                .inject_fault("error", CREATE_PATH, json!({ "times": times }))
                .await;
            ada.recover(&debts, saved(&visa)).await.unwrap();
            if is_paid_before {
                assert_eq!(reasons(&ada.recover(&debts, saved(&other)).await.unwrap()), [""]);
            } else {
                set_age(&harness, 20).await;
                reconcile_charges(&harness.cx).await.unwrap();
                harness.execute_effects().await;
                harness.sandbox.clear_faults().await;
            }
            let late = create_late_object(&harness).await;
            report.receive(&harness).await;
            harness.execute_effects().await;
            let owed = i64::from(!is_paid_before) * OWED;
            let list = ada.failed_payments().await;
            assert_eq!(list.total_owed.unwrap().minor_units, owed, "{report:?}");
            assert_eq!(
                harness.sandbox.held_or_captured_cents().await,
                OWED - owed,
                "{report:?}"
            );
            let refunds = harness.sandbox.refunds().await;
            assert_eq!(
                refunds
                    .iter()
                    .filter(|refund| refund["payment_intent"] == late)
                    .map(|refund| &refund["amount"])
                    .collect::<Vec<&Value>>(),
                [OWED]
            );
            let recovered = harness
                .count_rows("outbox WHERE kind = 'payments.DebtRecovered'")
                .await;
            assert_eq!(recovered, i64::from(is_paid_before));
            // The debt can still be paid.
            assert_eq!(reasons(&ada.recover(&debts, saved(&other)).await.unwrap()), [""]);
            harness.execute_effects().await;
            assert_eq!(harness.sandbox.held_or_captured_cents().await, OWED);
            harness.shut_down().await;
        }
    }
}

/// A webhook applies the object after the void has listed the consumer's objects, and before it has ended.
#[tokio::test]
async fn a_void_that_found_no_object_does_not_hide_the_one_that_another_replica_found() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness
        .sandbox
        .inject_fault("error", CREATE_PATH, json!({}))
        .await;
    harness.authorize(order_id, &ada, &card).await.unwrap_err();
    harness.close(order_id).await;
    // The void's second and last request.
    let fault = json!({ "ms": 1_000, "after": 1 });
    harness.sandbox.inject_fault("slow", CREATE_PATH, fault).await;
    let find_object = async {
        harness.sandbox.wait_for_faults().await;
        create_late_object(&harness).await;
        harness.refresh(order_id).await.unwrap();
        assert_eq!(harness.stored_state(order_id).await, "authorized");
    };
    let (executed, ()) = tokio::join!(execute_due_effects(&harness.cx), find_object);
    assert_eq!(executed.unwrap(), 1);
    assert_eq!(harness.stored_state(order_id).await, "authorized");
    harness.execute_effects().await;
    assert_eq!(harness.stored_state(order_id).await, "voided");
    assert_eq!(harness.sandbox.held_or_captured_cents().await, 0);
    harness.shut_down().await;
}
