//! Charges that are captured at once, and wallet payments.

use proto::payments::v1::{
    AuthorizeChargeRequest, Capture, Charge, ChargePurpose, ChargeState, ListChargesRequest, MethodKind,
    WalletKind, payments_server::Payments as _,
};
use serde_json::json;
use testing::{into_result, request_from_service};

use crate::harness::{
    AMOUNT, Card, Harness, authorize_request, new_order_id, order_subject, top_up_request, wallet,
};

#[tokio::test]
async fn a_purchase_is_captured_at_once_and_once() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let request = top_up_request(&ada, &card);
    let responses =
        futures::future::join_all((0..10).map(|_| harness.charge("gift-cards", request.clone()))).await;
    for response in responses {
        let charge = response.unwrap();
        assert_eq!(
            (charge.state(), charge.method_kind(), charge.subject),
            (ChargeState::Succeeded, MethodKind::Card, request.subject.clone())
        );
    }
    let intent = harness.sandbox.intent().await;
    assert_eq!(
        (intent["status"].as_str(), intent["amount_received"].as_i64()),
        (Some("succeeded"), Some(AMOUNT))
    );
    assert_eq!(intent["metadata"]["purpose"], "top_up");
    assert_eq!(harness.charge_events().await, ["payments.PaymentSettled"]);
    harness.shut_down().await;
}

#[tokio::test]
async fn one_id_can_have_a_charge_for_each_purpose_but_not_other_terms() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let request = top_up_request(&ada, &card);
    harness.charge("gift-cards", request.clone()).await.unwrap();
    let later = AuthorizeChargeRequest {
        capture: Capture::Later.into(),
        ..request.clone()
    };
    let error = harness.charge("gift-cards", later).await.unwrap_err();
    assert_eq!(error.reason, "CHARGE_MISMATCH");
    let unspecified = AuthorizeChargeRequest {
        capture: 0,
        ..request
    };
    let error = harness.charge("gift-cards", unspecified).await.unwrap_err();
    assert_eq!(
        (&*error.reason, error.field.as_deref()),
        ("MALFORMED", Some("capture"))
    );
    harness.sandbox.intent().await;
    harness.shut_down().await;
}

#[tokio::test]
async fn a_purchase_that_is_closed_after_an_unknown_outcome_is_refunded_or_never_charged() {
    for kind in ["reset_before", "reset_after"] {
        let harness = Harness::new().await;
        let (ada, card) = harness.consumer_with(Card::Good).await;
        let request = top_up_request(&ada, &card);
        harness
            .sandbox
            .inject_fault(kind, "/v1/payment_intents", json!({}))
            .await;
        harness.charge("gift-cards", request.clone()).await.unwrap_err();
        harness.close_subject(request.subject).await;
        harness.execute_effects().await;
        assert_eq!(harness.sandbox.held_or_captured_cents().await, 0, "{kind}");
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn a_wallet_pays_for_one_order_and_is_not_saved() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    for (kind, name) in [
        (WalletKind::ApplePay, "apple_pay"),
        (WalletKind::GooglePay, "google_pay"),
    ] {
        let method = harness.sandbox.create_wallet_method(Some(name)).await;
        let order_id = new_order_id();
        let request = AuthorizeChargeRequest {
            source: wallet(kind, &method),
            ..authorize_request(order_id, &ada, "")
        };
        for _ in 0..2 {
            let charge = harness.charge("ordering", request.clone()).await.unwrap();
            assert_eq!(charge.state(), ChargeState::Authorized, "{name}");
        }
        let again = AuthorizeChargeRequest {
            subject: order_subject(new_order_id()),
            ..request
        };
        let charge = harness.charge("ordering", again).await.unwrap();
        assert_eq!(charge.state(), ChargeState::Declined, "{name}: used twice");
    }
    assert!(ada.list_methods().await.is_empty());
    assert_eq!(harness.sandbox.count_attached_methods().await, 0);
    assert_eq!(harness.sandbox.held_or_captured_cents().await, 2 * AMOUNT);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_method_that_the_wallet_did_not_create_is_rejected() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let plain_card = harness.sandbox.create_wallet_method(None).await;
    let google = harness.sandbox.create_wallet_method(Some("google_pay")).await;
    for method in [plain_card.as_str(), google.as_str(), "pm_unknown"] {
        let request = AuthorizeChargeRequest {
            source: wallet(WalletKind::ApplePay, method),
            ..authorize_request(new_order_id(), &ada, "")
        };
        let error = harness.charge("ordering", request).await.unwrap_err();
        assert_eq!(error.reason, "WALLET_PAYMENT_INVALID", "{method}");
    }
    for method in ["", "pm_1/../../customers", "pm 1"] {
        let request = AuthorizeChargeRequest {
            source: wallet(WalletKind::ApplePay, method),
            ..authorize_request(new_order_id(), &ada, "")
        };
        let error = harness.charge("ordering", request).await.unwrap_err();
        assert_eq!(error.reason, "MALFORMED", "{method}");
    }
    assert_eq!(harness.count_rows("charges").await, 0);
    harness.shut_down().await;
}

#[tokio::test]
async fn charges_are_listed_by_subject_and_by_change() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let top_up = top_up_request(&ada, &card);
    harness.charge("gift-cards", top_up.clone()).await.unwrap();
    let (authorized, closed) = (new_order_id(), new_order_id());
    harness.authorize(authorized, &ada, &card).await.unwrap();
    harness.close(closed).await;
    let list = async |request: ListChargesRequest| {
        let request = request_from_service("ordering", request);
        into_result(harness.grpc().list_charges(request).await)
            .unwrap()
            .charges
    };
    let orders = ListChargesRequest {
        purposes: vec![ChargePurpose::Order.into()],
        ..ListChargesRequest::default()
    };
    let all = list(orders.clone()).await;
    let states: Vec<ChargeState> = all.iter().map(Charge::state).collect();
    assert_eq!(states, [ChargeState::Authorized, ChargeState::Closed]);
    assert!(
        all.iter()
            .all(|charge| charge.changed_at.parse::<jiff::Timestamp>().is_ok())
    );
    let after = ListChargesRequest {
        after: all[0].charge_id.clone(),
        ..orders.clone()
    };
    assert_eq!(list(after).await, all[1..]);
    let by_id = ListChargesRequest {
        subject_ids: vec![authorized.to_string()],
        ..orders.clone()
    };
    assert_eq!(list(by_id).await, all[..1]);
    let later = ListChargesRequest {
        changed_since: "2999-01-01T00:00:00Z".to_owned(),
        ..orders.clone()
    };
    assert_eq!(list(later).await, []);
    let earlier = ListChargesRequest {
        changed_since: "2000-01-01T00:00:00Z".to_owned(),
        ..orders.clone()
    };
    assert_eq!(list(earlier).await, all);
    let purchases = ListChargesRequest {
        purposes: vec![ChargePurpose::TopUp.into(), ChargePurpose::GiftCard.into()],
        ..ListChargesRequest::default()
    };
    let listed = list(purchases).await;
    assert_eq!((listed.len(), &listed[0].subject), (1, &top_up.subject));
    assert!(listed[0].is_capture_requested);
    let foreign = request_from_service("gateway", orders);
    assert_eq!(
        into_result(harness.grpc().list_charges(foreign).await)
            .unwrap_err()
            .reason,
        "FORBIDDEN"
    );
    harness.shut_down().await;
}
