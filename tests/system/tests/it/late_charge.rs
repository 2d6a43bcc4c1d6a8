//! A charge request that arrives after recovery closed its order.

use kit::{ErrorCode, ServiceError};
use proto::{
    payments::v1::{
        AuthorizeChargeRequest, Capture, ChargePurpose, ChargeSubject, CloseChargeRequest, PaymentSource,
        payment_source::Source, payments_client::PaymentsClient,
    },
    values::v1::Money,
};
use serde_json::json;
use types::OrderId;

use crate::harness::{
    Consumer, Tender, eventually, exclusive_stack, exclusive_stack_with_short_saga_lease, now,
};

fn charge(order: &str, consumer: &Consumer, card: &Tender, cents: i64) -> AuthorizeChargeRequest {
    AuthorizeChargeRequest {
        subject: Some(subject(order)),
        consumer_id: consumer.id.to_string(),
        source: Some(PaymentSource {
            source: Some(Source::PaymentMethodId(
                card.0["paymentMethodId"].as_str().unwrap().to_owned(),
            )),
            ..PaymentSource::default()
        }),
        amount: Some(Money {
            minor_units: cents,
            currency: "usd".to_owned(),
        }),
        capture: Capture::Later.into(),
        description: None,
    }
}

fn subject(order: &str) -> ChargeSubject {
    ChargeSubject {
        purpose: ChargePurpose::Order.into(),
        id: order.to_owned(),
    }
}

#[tokio::test]
async fn a_late_charge_of_a_closed_order_is_rejected() {
    let stack = exclusive_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let checkout = ada.draft_order("Latte", &store, &card).priced().await;
    stack.set_fault_point_of_saga("place.reserved").await;
    stack.arm();
    checkout.place().await;
    stack.program("ordering").ended().await;
    stack.restart("ordering", &[]).await;
    assert_eq!(
        checkout.place_until_final().await.error_reason(409),
        "ORDER_NOT_PLACED"
    );
    let order = ada.only_order().await;

    let mut payments = PaymentsClient::new(stack.service("payments", "ordering"));
    let late = payments
        .authorize_charge(charge(&order, &ada, &card, checkout.total()))
        .await
        .unwrap_err();
    let error = ServiceError::from_status(&late);
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::Conflict, "CHARGE_CLOSED")
    );
    assert!(
        stack.sandbox().intents(&order).await.is_empty(),
        "the provider received no request"
    );
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_late_charge_of_an_order_without_a_charge_is_rejected() {
    let stack = exclusive_stack().await;
    let ada = stack.consumer().await;
    let card = ada.with_card("4242424242424242").await;
    let order = OrderId::new(now()).to_string();
    let mut payments = PaymentsClient::new(stack.service("payments", "ordering"));
    payments
        .close_charge(CloseChargeRequest {
            subject: Some(subject(&order)),
        })
        .await
        .unwrap();
    for _ in 0..2 {
        let late = payments
            .authorize_charge(charge(&order, &ada, &card, 500))
            .await
            .unwrap_err();
        assert_eq!(ServiceError::from_status(&late).reason, "CHARGE_CLOSED");
    }
    assert!(stack.sandbox().intents(&order).await.is_empty());
}

/// Ordering is killed during a slow call to the provider, restarts and closes the order.
#[tokio::test]
async fn a_charge_in_flight_of_a_closed_order_is_voided() {
    let stack = exclusive_stack_with_short_saga_lease().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let checkout = ada.draft_order("Latte", &store, &card).priced().await;
    stack
        .sandbox()
        .fault(json!({ "path": "/v1/payment_intents", "method": "POST", "kind": "slow", "ms": 6000 }))
        .await;
    let waiting = {
        let checkout = checkout.clone();
        tokio::spawn(async move { checkout.place().await })
    };
    let order = eventually("an order exists", async || {
        ada.all_orders().await.pop().ok_or("none yet")
    })
    .await;
    stack.sandbox().wait_for_faults().await;
    stack.restart("ordering", &[]).await;
    assert!(waiting.await.unwrap().is_unavailable());
    assert_eq!(
        checkout.place_until_final().await.error_reason(409),
        "ORDER_NOT_PLACED"
    );
    eventually("the authorization succeeded and was voided", async || {
        let intents = stack.sandbox().intents(&order).await;
        let states: Vec<_> = intents
            .iter()
            .map(|intent| intent["status"].as_str().unwrap())
            .collect();
        if states == ["canceled"] {
            Ok(())
        } else {
            Err(format!("{states:?}"))
        }
    })
    .await;
    ada.assert_consistent().await;
}
