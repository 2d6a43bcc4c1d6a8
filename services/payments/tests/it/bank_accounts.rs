//! Linking bank accounts and saving payment methods.

use kit::ErrorCode;
use proto::accounts::v1::{ConsumerEvent, ConsumerRemoved, consumer_event::Change};
use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{BankSession, ChargeState, DeletePaymentMethodRequest};
use serde_json::json;
use testing::into_result;

use crate::harness::{Card, Consumer, Harness, new_order_id};

fn removal_of(consumer: &Consumer<'_>) -> ConsumerEvent {
    ConsumerEvent {
        consumer_id: consumer.id.to_string(),
        phone_hash: String::new(),
        change: Some(Change::Removed(ConsumerRemoved {})),
    }
}

#[tokio::test]
async fn a_linked_account_is_imported_with_the_consent_that_was_shown() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let session = ada.create_bank_session().await;
    assert!(session.mandate_text.contains("authorize") && session.fee_consent_text.contains("$5.00"));
    let error = ada.add_bank_account().await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::Conflict, "BANK_NOT_LINKED")
    );

    harness
        .sandbox
        .confirm_setup(&session.client_secret, Card::Bank)
        .await;
    for _ in 0..2 {
        let methods = ada.add_bank_account().await.unwrap();
        assert_eq!(methods.len(), 1);
        assert_eq!(
            (methods[0].r#type.as_str(), methods[0].is_default),
            ("bank", false)
        );
    }
    let (mandate, fee, has_mandate): (String, String, bool) = sqlx::query_as(
        "SELECT mandate_text, fee_consent_text, provider_mandate_id LIKE 'mandate%' FROM setup_intents
         WHERE completed_at IS NOT NULL",
    )
    .fetch_one(&harness.cx.pool)
    .await
    .unwrap();
    assert_eq!(
        (mandate, fee, has_mandate),
        (session.mandate_text, session.fee_consent_text, true)
    );
    harness.shut_down().await;
}

/// Confirms a bank session as the consumer does on the provider's page, some time after they left the app.
async fn confirm_later(harness: &Harness, session: &BankSession, hours: i32) {
    sqlx::query("UPDATE setup_intents SET created_at = created_at - make_interval(hours => $1)")
        .bind(hours)
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    harness
        .sandbox
        .confirm_setup(&session.client_secret, Card::Bank)
        .await;
}

/// Two days pass if the bank confirms the account with small deposits.
#[tokio::test]
async fn an_account_that_is_confirmed_later_is_added_by_the_webhook() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let session = ada.create_bank_session().await;
    confirm_later(&harness, &session, 30).await;
    let webhook = harness.sandbox.webhook("setup_intent.succeeded").await;

    let fault = json!({ "method": "GET", "status": 503 });
    harness
        .sandbox
        .inject_fault("error", "/v1/setup_intents/*", fault)
        .await;
    let error = harness.receive_webhook(&webhook).await.unwrap_err();
    assert_eq!(
        error.code,
        ErrorCode::Unavailable,
        "the provider delivers it again"
    );
    for _ in 0..2 {
        harness.receive_webhook(&webhook).await.unwrap();
        let methods = ada.list_methods().await;
        assert_eq!(methods.len(), 1);
        assert_eq!(methods[0].r#type, "bank");
    }
    let completed = "setup_intents WHERE completed_at IS NOT NULL AND provider_mandate_id LIKE 'mandate%'
                     AND mandate_text IS NOT NULL";
    assert_eq!(harness.count_rows(completed).await, 1);
    assert_eq!(harness.method_removals().await, [false]);
    let method_id = ada.list_methods().await.remove(0).payment_method_id;
    let charge = harness.authorize(new_order_id(), &ada, &method_id).await.unwrap();
    assert_eq!(charge.state(), ChargeState::Processing);
    harness.shut_down().await;
}

#[tokio::test]
async fn an_account_that_was_confirmed_within_two_weeks_is_added_when_the_app_asks() {
    for (days, is_added) in [(13, true), (15, false)] {
        let harness = Harness::new().await;
        let ada = harness.consumer();
        let session = ada.create_bank_session().await;
        confirm_later(&harness, &session, days * 24).await;
        let methods = ada.add_bank_account().await.unwrap();
        assert_eq!(methods.len(), usize::from(is_added), "{days}");
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn a_session_that_the_webhook_has_completed_is_linked_for_the_app() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let session = ada.create_bank_session().await;
    // The page was opened twice.
    ada.create_bank_session().await;
    confirm_later(&harness, &session, 0).await;
    let webhook = harness.sandbox.webhook("setup_intent.succeeded").await;
    harness.receive_webhook(&webhook).await.unwrap();
    for _ in 0..2 {
        assert_eq!(ada.add_bank_account().await.unwrap().len(), 1);
    }
    sqlx::query("UPDATE setup_intents SET completed_at = completed_at - interval '1 hour'")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    let error = ada.add_bank_account().await.unwrap_err();
    assert_eq!(error.reason, "BANK_NOT_LINKED");
    harness.shut_down().await;
}

/// Makes the next request for setup intents fail with a rejection.
async fn reject_setup_intents(harness: &Harness, path: &str, status: u16, code: &str) {
    let fault = json!({ "method": "GET", "status": status, "code": code });
    harness.sandbox.inject_fault("error", path, fault).await;
}

#[tokio::test]
async fn a_session_that_the_provider_has_deleted_is_skipped() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let deleted = ada.create_bank_session().await;
    let session = ada.create_bank_session().await;
    for session in [&deleted, &session] {
        confirm_later(&harness, session, 0).await;
    }
    let (deleted_id, _) = deleted.client_secret.split_once("_secret").unwrap();
    let path = format!("/v1/setup_intents/{deleted_id}");
    reject_setup_intents(&harness, &path, 404, "resource_missing").await;
    assert_eq!(ada.add_bank_account().await.unwrap().len(), 1);
    harness.sandbox.wait_for_faults().await;
    harness.shut_down().await;
}

#[tokio::test]
async fn an_account_whose_setup_was_rejected_for_another_reason_is_added_by_the_repeated_webhook() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let session = ada.create_bank_session().await;
    confirm_later(&harness, &session, 30).await;
    let webhook = harness.sandbox.webhook("setup_intent.succeeded").await;
    reject_setup_intents(&harness, "/v1/setup_intents/*", 400, "parameter_unknown").await;
    let error = harness.receive_webhook(&webhook).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Internal);
    harness.receive_webhook(&webhook).await.unwrap();
    assert_eq!(ada.list_methods().await.len(), 1);
    harness.shut_down().await;
}

#[tokio::test]
async fn the_webhook_and_the_app_add_an_account_once() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let session = ada.create_bank_session().await;
    confirm_later(&harness, &session, 0).await;
    let webhook = harness.sandbox.webhook("setup_intent.succeeded").await;
    let received = futures::future::join_all((0..4).map(|_| harness.receive_webhook(&webhook)));
    let added = futures::future::join_all((0..4).map(|_| ada.add_bank_account()));
    let (received, added) = futures::future::join(received, added).await;
    assert!(received.iter().all(Result::is_ok), "{received:?}");
    assert!(added.iter().all(|added| added.as_ref().unwrap().len() == 1));
    assert_eq!(ada.list_methods().await.len(), 1);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_late_webhook_adds_no_deleted_account_no_card_and_nothing_of_others() {
    let harness = Harness::new().await;
    let (ada, eve) = (harness.consumer(), harness.consumer());
    let deleted = ada.add_method(Card::Bank).await;
    let request = ada.request(DeletePaymentMethodRequest {
        payment_method_id: deleted,
    });
    into_result(harness.grpc().delete_payment_method(request).await).unwrap();
    eve.confirm_setup(Card::Good).await;
    let removed = harness.consumer();
    let session = removed.create_bank_session().await;
    harness.consume(&removal_of(&removed)).await;
    confirm_later(&harness, &session, 30).await;
    harness
        .receive_webhooks_until_true(
            "SELECT count(*) >= 3 FROM provider_events WHERE type = 'setup_intent.succeeded'",
        )
        .await;
    for consumer in [&ada, &eve, &removed] {
        assert!(consumer.list_methods().await.is_empty());
    }
    assert_eq!(harness.count_rows("provider_events WHERE is_applied").await, 0);
    harness.shut_down().await;
}

/// A bank account without the consumer's consent on record cannot be debited.
#[tokio::test]
async fn importing_cards_does_not_import_bank_accounts() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let session = ada.create_bank_session().await;
    harness
        .sandbox
        .confirm_setup(&session.client_secret, Card::Bank)
        .await;
    assert!(ada.add_card().await.is_empty());
    harness.shut_down().await;
}

#[tokio::test]
async fn a_method_is_saved_by_its_setup_intent() {
    let harness = Harness::new().await;
    let (ada, eve) = (harness.consumer(), harness.consumer());
    let secret = ada.create_setup_intent().await;
    let id = secret.split_once("_secret").unwrap().0.to_owned();
    let error = ada.save_method(&id, false).await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::Conflict, "SETUP_NOT_COMPLETED")
    );
    harness.sandbox.confirm_setup(&secret, Card::Good).await;
    for foreign in [
        eve.save_method(&id, true).await,
        ada.save_method("seti_unknown", true).await,
    ] {
        let error = foreign.unwrap_err();
        assert_eq!(
            (error.code, &*error.reason),
            (ErrorCode::NotFound, "SETUP_INTENT_UNKNOWN")
        );
    }
    for _ in 0..2 {
        let methods = ada.save_method(&id, false).await.unwrap();
        assert_eq!(
            (methods.len(), methods[0].is_default),
            (1, true),
            "the first card is the default"
        );
    }
    let second = ada.create_setup_intent().await;
    harness
        .sandbox
        .confirm_setup(&second, Card::NeedsAuthentication)
        .await;
    let second_id = second.split_once("_secret").unwrap().0;
    let methods = ada.save_method(second_id, true).await.unwrap();
    let defaults: Vec<_> = methods.iter().map(|method| method.is_default).collect();
    assert_eq!(defaults, [true, false]);
    assert_eq!(methods[0].last4, "3184");
    harness.shut_down().await;
}

#[tokio::test]
async fn a_consumer_can_start_a_limited_number_of_methods_a_day() {
    let mut harness = Harness::new().await;
    harness.cx.setup_intents_per_day = 2;
    let ada = harness.consumer();
    ada.create_setup_intent().await;
    ada.create_bank_session().await;
    let error = ada.try_create_setup_intent().await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::RateLimited, "TOO_MANY_CARDS")
    );
    harness.consumer().create_setup_intent().await;
    sqlx::query("UPDATE setup_intents SET created_at = created_at - interval '25 hours'")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    ada.create_setup_intent().await;
    harness.shut_down().await;
}
