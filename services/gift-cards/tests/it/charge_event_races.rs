//! Events about a charge that arrive while a task has the lease of the purchase.

use std::time::Duration;

use gift_cards::ops::recover_purchases::recover_purchases;
use kit::{ErrorCode, ServiceError};
use proto::{
    giftcards::v1::{AddFundsRequest, Purchase, PurchaseState},
    payments::v1::{ChargeEvent, ChargeState},
};
use types::ConsumerId;

use crate::{
    charge_events::{declined, returned, settled},
    fake_services::{AUTHENTICATED, CARD},
    harness::{Harness, usd},
    purchases::source,
};

fn request(method: &str) -> AddFundsRequest {
    AddFundsRequest {
        amount: usd(1_000),
        payment: source(method),
        balance_id: String::new(),
        idempotency_key: "key-of-a-test".to_owned(),
    }
}

async fn wait_for_call(harness: &Harness, method: &str) {
    while harness.services.count(method) == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Receives the event while the task of a repeated request checks the charge, which payments still reports in its old state. Returns
/// the response to the repeated request.
async fn receive_while_checked(
    harness: &Harness,
    consumer: ConsumerId,
    event: fn(&Purchase) -> ChargeEvent,
) -> Result<Purchase, ServiceError> {
    let waiting = harness.add_funds(consumer, request(AUTHENTICATED)).await.unwrap();
    assert_eq!(waiting.state(), PurchaseState::PurchaseRequiresAction);
    let gate = harness.services.hold_charges().await;
    let receive = async {
        wait_for_call(harness, "RefreshCharge").await;
        harness.receive(event(&waiting)).await.unwrap();
        drop(gate);
    };
    let (response, ()) = tokio::join!(harness.add_funds(consumer, request(AUTHENTICATED)), receive);
    response
}

#[tokio::test]
async fn a_settlement_that_arrives_while_the_charge_is_checked_completes_the_purchase() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let purchase = receive_while_checked(&harness, consumer, settled).await.unwrap();
    assert_eq!(purchase.state(), PurchaseState::PurchaseCompleted);
    harness
        .services
        .set_charge(&purchase.purchase_id, ChargeState::Succeeded);
    harness.expire_leases().await;
    recover_purchases(&harness.cx).await.unwrap();
    assert_eq!(
        (harness.services.paid(), harness.wallet(consumer).await),
        (1_000, (1_000, 0))
    );
    harness.close().await;
}

#[tokio::test]
async fn a_decline_that_arrives_while_the_charge_is_checked_fails_the_purchase() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let error = receive_while_checked(&harness, consumer, declined)
        .await
        .unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::RuleViolation, "INSUFFICIENT_FUNDS")
    );
    assert_eq!(harness.wallet(consumer).await, (0, 0));
    harness.close().await;
}

#[tokio::test]
async fn a_return_that_arrives_while_the_purchase_completes_takes_the_value_back() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let gate = harness.services.hold_charges().await;
    let receive = async {
        wait_for_call(&harness, "AuthorizeCharge").await;
        let purchase_id = harness.services.charges()[0].subject.id.clone();
        let purchase = Purchase {
            purchase_id,
            ..Purchase::default()
        };
        // Payments responded with the settled debit before the bank returned it.
        harness.receive(returned(&purchase)).await.unwrap();
        drop(gate);
    };
    let (response, ()) = tokio::join!(harness.add_funds(consumer, request(CARD)), receive);
    assert_eq!(response.unwrap_err().reason, "PAYMENT_RETURNED");
    assert_eq!(harness.wallet(consumer).await, (0, 0));
    assert_eq!(harness.shortfalls().await, [0]);
    harness.close().await;
}
