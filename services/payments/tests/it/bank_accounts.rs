//! Linking bank accounts and saving payment methods.

use kit::ErrorCode;

use crate::harness::{Card, Harness};

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
