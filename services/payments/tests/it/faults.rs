//! Faults of the network and the provider: no consumer is charged twice, and no amount stays held.

use std::time::{Duration, Instant};

use kit::{ErrorCode, ServiceError};
use payments::workers::reconcile_charges::reconcile_charges;
use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{AddCardRequest, ChargeState, DeletePaymentMethodRequest};
use serde_json::{Value, json};
use testing::into_result;

use crate::harness::{AMOUNT, Card, Harness, TIMEOUT, accepted, cancelled, new_order_id};

const CREATE_PATH: &str = "/v1/payment_intents";

/// Faults of one call after which its outcome is unknown, with their options.
fn faults_of_unknown_outcome() -> [(&'static str, Value); 6] {
    let slower_than_timeout = u64::try_from(TIMEOUT.as_millis()).unwrap() + 500;
    [
        ("reset_before", json!({})),
        ("reset_after", json!({})),
        ("slow", json!({ "ms": slower_than_timeout })),
        ("error", json!({ "status": 503 })),
        ("error", json!({ "status": 429 })),
        ("error_after", json!({ "status": 500 })),
    ]
}

#[tokio::test]
async fn an_unknown_outcome_is_unavailable_and_a_repeated_call_returns_the_result() {
    for (kind, options) in faults_of_unknown_outcome() {
        let harness = Harness::new().await;
        let (ada, card) = harness.consumer_with(Card::Good).await;
        let order_id = new_order_id();
        harness.sandbox.inject_fault(kind, CREATE_PATH, options).await;
        assert_eq!(
            harness.authorize(order_id, &ada, &card).await.unwrap_err().code,
            ErrorCode::Unavailable,
            "{kind}"
        );
        assert_eq!(harness.stored_state(order_id).await, "pending", "{kind}");

        let charge = harness.authorize(order_id, &ada, &card).await.unwrap();
        assert_eq!(charge.state(), ChargeState::Authorized, "{kind}");
        harness.sandbox.intent().await;
        assert_eq!(harness.sandbox.held_or_captured_cents().await, AMOUNT, "{kind}");
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn refresh_finds_a_charge_after_a_lost_response() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness
        .sandbox
        .inject_fault("reset_after", CREATE_PATH, json!({}))
        .await;
    harness.authorize(order_id, &ada, &card).await.unwrap_err();
    assert_eq!(
        harness.refresh(order_id).await.unwrap().state(),
        ChargeState::Authorized
    );
    harness.shut_down().await;
}

#[tokio::test]
async fn closing_a_charge_with_an_unknown_outcome_leaves_nothing_held() {
    let server_error = ("error", json!({ "status": 500 }));
    for (kind, options) in faults_of_unknown_outcome().into_iter().chain([server_error]) {
        let harness = Harness::new().await;
        let (ada, card) = harness.consumer_with(Card::Good).await;
        let order_id = new_order_id();
        harness.sandbox.inject_fault(kind, CREATE_PATH, options).await;
        harness.authorize(order_id, &ada, &card).await.unwrap_err();
        assert_eq!(harness.close(order_id).await.state(), ChargeState::Closed);
        harness.execute_effects().await;
        // The delayed request would have had its effect by now.
        tokio::time::sleep(Duration::from_millis(700)).await;
        assert_eq!(harness.sandbox.held_or_captured_cents().await, 0, "{kind}");
        assert_eq!(harness.stored_state(order_id).await, "voided", "{kind}");
        let intents = harness.sandbox.intents().await;
        assert!(
            intents.iter().all(|intent| intent["status"] == "canceled"),
            "{kind}: {intents:#?}"
        );
        assert!(harness.charge_events().await.is_empty(), "{kind}");
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn capture_void_and_refund_succeed_despite_faults() {
    let faults = [
        ("reset_before", json!({ "times": 2 })),
        ("reset_after", json!({ "times": 1 })),
        ("error", json!({ "status": 500, "times": 2 })),
        ("error_after", json!({ "status": 500, "times": 1 })),
        ("error", json!({ "status": 429, "times": 2 })),
    ];
    for (kind, options) in faults {
        let harness = Harness::new().await;
        let (ada, card) = harness.consumer_with(Card::Good).await;
        let (accepted_order, cancelled_order) = (new_order_id(), new_order_id());
        harness.authorize(accepted_order, &ada, &card).await.unwrap();
        harness.authorize(cancelled_order, &ada, &card).await.unwrap();

        harness
            .sandbox
            .inject_fault(kind, "/v1/payment_intents/*", options.clone())
            .await;
        harness.consume_order_event(cancelled_order, cancelled()).await;
        harness.execute_effects().await;
        assert_eq!(
            (
                harness.stored_state(cancelled_order).await.as_str(),
                harness.sandbox.held_or_captured_cents().await
            ),
            ("voided", AMOUNT),
            "{kind}"
        );

        harness
            .sandbox
            .inject_fault(kind, "/v1/payment_intents/*", options.clone())
            .await;
        harness.consume_order_event(accepted_order, accepted()).await;
        harness.execute_effects().await;
        assert_eq!(harness.stored_state(accepted_order).await, "succeeded", "{kind}");

        harness.sandbox.inject_fault(kind, "/v1/refunds", options).await;
        harness.consume_order_event(accepted_order, cancelled()).await;
        harness.execute_effects().await;
        assert_eq!(
            (
                harness.stored_state(accepted_order).await.as_str(),
                harness.sandbox.held_or_captured_cents().await
            ),
            ("refunded", 0),
            "{kind}"
        );
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn reconciliation_replaces_a_lost_webhook() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::NeedsAuthentication).await;
    let order_id = new_order_id();
    let charge = harness.authorize(order_id, &ada, &card).await.unwrap();
    harness
        .sandbox
        .authenticate(&charge.client_secret, "complete")
        .await;
    assert_eq!(reconcile_charges(&harness.cx).await.unwrap(), 0, "too recent");
    assert_eq!(harness.stored_state(order_id).await, "requires_action");

    sqlx::query("UPDATE charges SET updated_at = now() - interval '3 minutes'")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(reconcile_charges(&harness.cx).await.unwrap(), 1);
    assert_eq!(harness.stored_state(order_id).await, "authorized");
    assert_eq!(reconcile_charges(&harness.cx).await.unwrap(), 0);
    harness.shut_down().await;
}

/// The hold of a scheduled order can expire before the store accepts the order.
#[tokio::test]
async fn reconciliation_detects_an_expired_hold() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness.authorize(order_id, &ada, &card).await.unwrap();
    harness.sandbox.expire_hold().await;
    for (hours, reconciled) in [(23, 0), (25, 1), (25, 0)] {
        sqlx::query(
            "UPDATE charges SET created_at = now() - make_interval(hours => $1), updated_at = created_at",
        )
        .bind(hours)
        .execute(&harness.cx.pool)
        .await
        .unwrap();
        assert_eq!(
            reconcile_charges(&harness.cx).await.unwrap(),
            reconciled,
            "{hours}"
        );
    }
    assert_eq!(harness.stored_state(order_id).await, "voided");
    assert_eq!(
        harness.charge_events().await,
        ["payments.PaymentAuthorized", "payments.PaymentDeclined"]
    );

    // A charge that is still held is reconciled without a change.
    let held_order = new_order_id();
    harness.authorize(held_order, &ada, &card).await.unwrap();
    sqlx::query(
        "UPDATE charges SET created_at = now() - interval '3 days', updated_at = now() - interval '3 days'",
    )
    .execute(&harness.cx.pool)
    .await
    .unwrap();
    assert_eq!(reconcile_charges(&harness.cx).await.unwrap(), 1);
    assert_eq!(reconcile_charges(&harness.cx).await.unwrap(), 0);
    assert_eq!(harness.stored_state(held_order).await, "authorized");
    harness.shut_down().await;
}

#[tokio::test]
async fn an_authorization_finishes_after_the_caller_s_deadline() {
    let harness = Harness::with_provider_timeout(Duration::from_secs(8)).await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness
        .sandbox
        .inject_fault("slow", CREATE_PATH, json!({ "ms": 600 }))
        .await;
    let started = Instant::now();
    let result = kit::grpc::deadline::within(
        Duration::from_millis(200),
        harness.authorize(order_id, &ada, &card),
    )
    .await;
    assert_eq!(result.unwrap_err().code, ErrorCode::Unavailable);
    while harness.stored_state(order_id).await != "authorized" {
        assert!(started.elapsed() < Duration::from_secs(20), "not authorized");
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    harness.shut_down().await;
}

/// Repeats a call as a client does. Each failure says that the outcome is unknown or the service is unavailable (503).
async fn repeat<T>(fault: &str, call: impl AsyncFn() -> Result<T, ServiceError>) -> T {
    for _ in 0..4 {
        match call().await {
            Ok(value) => return value,
            Err(error) => assert_eq!(error.code, ErrorCode::Unavailable, "{fault}: {error}"),
        }
    }
    panic!("still unavailable: {fault}");
}

#[tokio::test]
async fn a_card_is_saved_and_deleted_once_with_a_fault_of_any_call() {
    let calls = [
        ("POST", "/v1/customers"),
        ("POST", "/v1/setup_intents"),
        ("GET", "/v1/setup_intents/*"),
        ("GET", "/v1/customers/*/payment_methods"),
        ("POST", "/v1/payment_methods/*/detach"),
    ];
    let faults = faults_of_unknown_outcome();
    let harness = Harness::new().await;
    let mut customers = 0;
    for (method, path) in calls {
        for (kind, options) in &faults {
            let ada = harness.consumer();
            let fault = format!("{kind} {options} {method} {path}");
            let mut options = options.clone();
            options["method"] = json!(method);
            harness.sandbox.inject_fault(kind, path, options).await;
            let secret = repeat(&fault, async || ada.try_create_setup_intent().await).await;
            harness.sandbox.confirm_setup(&secret, Card::Good).await;
            let (setup_intent_id, _) = secret.split_once("_secret").unwrap();
            repeat(&fault, async || ada.save_method(setup_intent_id, true).await).await;
            let imported = repeat(&fault, async || {
                let request = ada.request(AddCardRequest {});
                into_result(harness.grpc().add_card(request).await)
            });
            let methods = imported.await.methods;
            assert_eq!(methods.len(), 1, "{fault}");

            let request = DeletePaymentMethodRequest {
                payment_method_id: methods[0].payment_method_id.clone(),
            };
            into_result(harness.grpc().delete_payment_method(ada.request(request)).await).unwrap();
            harness.execute_effects().await;
            assert_eq!(harness.sandbox.count_attached_methods().await, 0, "{fault}");
            // After a server error, another key is used.
            let is_repeated_error = (*kind, path) == ("error_after", "/v1/customers");
            customers += if is_repeated_error { 2 } else { 1 };
            assert_eq!(harness.sandbox.customers().await.len(), customers, "{fault}");
        }
    }
    harness.shut_down().await;
}

/// The provider repeats the error for the key of the charge for a day.
#[tokio::test]
async fn a_server_error_while_an_unknown_charge_is_voided_does_not_keep_it_open() {
    for times in [1, 3] {
        let harness = Harness::new().await;
        let (ada, card) = harness.consumer_with(Card::Good).await;
        let order_id = new_order_id();
        for (kind, times) in [("reset_before", 1), ("error", times)] {
            harness
                .sandbox
                .inject_fault(kind, CREATE_PATH, json!({ "times": times }))
                .await;
            if kind == "reset_before" {
                harness.authorize(order_id, &ada, &card).await.unwrap_err();
                harness.close(order_id).await;
            }
        }
        harness.execute_effects().await;
        assert_eq!(harness.stored_state(order_id).await, "voided", "{times}");
        assert_eq!(harness.sandbox.held_or_captured_cents().await, 0, "{times}");
        harness.shut_down().await;
    }
}

/// The unconfirmed object exists, and the provider repeats the error.
#[tokio::test]
async fn an_unconfirmed_object_whose_response_is_lost_is_canceled() {
    for kind in ["error_after", "reset_after"] {
        let harness = Harness::new().await;
        let (ada, card) = harness.consumer_with(Card::Good).await;
        let order_id = new_order_id();
        let options = json!({ "times": 1 });
        harness
            .sandbox
            .inject_fault("reset_before", CREATE_PATH, options.clone())
            .await;
        harness.authorize(order_id, &ada, &card).await.unwrap_err();
        harness.close(order_id).await;
        harness.sandbox.inject_fault(kind, CREATE_PATH, options).await;
        harness.execute_effects().await;
        assert_eq!(harness.stored_state(order_id).await, "voided", "{kind}");
        assert_eq!(harness.sandbox.intent().await["status"], "canceled", "{kind}");
        harness.shut_down().await;
    }
}
