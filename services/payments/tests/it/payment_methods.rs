//! Tests of the calls about payment methods.

use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{
    DeletePaymentMethodRequest, GetPaymentMethodRequest, GetPublishableKeyRequest, ListPaymentMethodsRequest,
    SetDefaultPaymentMethodRequest, UnsetDefaultPaymentMethodRequest,
};

use testing::{into_result, request_from_service};

use crate::harness::{Card, Harness};

#[tokio::test]
async fn an_added_card_becomes_a_method_and_the_first_is_the_default() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    ada.confirm_setup(Card::Good).await;
    let methods = ada.add_card().await;

    let [card] = methods.as_slice() else {
        panic!("{methods:?}")
    };
    assert_eq!(
        (
            card.r#type.as_str(),
            card.institution_name.as_str(),
            card.last4.as_str()
        ),
        ("card", "visa", "4242")
    );
    assert_eq!(
        (card.exp_date.as_str(), card.is_default, card.expired),
        ("12/40", true, false)
    );

    let second = ada.add_method(Card::NeedsAuthentication).await;
    let methods = ada.list_methods().await;
    assert_eq!(methods.len(), 2);
    assert_eq!((methods[0].last4.as_str(), methods[0].is_default), ("4242", true));
    assert_eq!(
        (methods[1].payment_method_id.as_str(), methods[1].is_default),
        (second.as_str(), false)
    );

    // A repeated call changes nothing and publishes no event.
    let events_before = harness.count_rows("outbox").await;
    assert_eq!(ada.add_card().await, methods);
    assert_eq!(harness.count_rows("outbox").await, events_before);
    harness.shut_down().await;
}

#[tokio::test]
async fn the_publishable_key_is_returned_without_a_setup_intent() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let response = harness
        .grpc()
        .get_publishable_key(ada.request(GetPublishableKeyRequest {}))
        .await;
    assert_eq!(into_result(response).unwrap().publishable_key, "pk_test_payments");
    assert_eq!(harness.sandbox.count_setup_intents().await, 0);
    assert_eq!(harness.count_rows("provider_customers").await, 0);
    let response = harness
        .grpc()
        .get_publishable_key(request_from_service("stores", GetPublishableKeyRequest {}))
        .await;
    assert_eq!(into_result(response).unwrap_err().reason, "FORBIDDEN");
    harness.shut_down().await;
}

#[tokio::test]
async fn concurrent_calls_create_one_customer_and_import_a_card_once() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let calls = futures::future::join_all((0..20).map(|_| ada.add_card())).await;
    assert!(calls.iter().all(Vec::is_empty));
    assert_eq!(harness.count_rows("provider_customers").await, 1);

    ada.confirm_setup(Card::Good).await;
    let calls = futures::future::join_all((0..20).map(|_| ada.add_card())).await;
    assert!(
        calls
            .iter()
            .all(|methods| *methods == calls[0] && methods.len() == 1)
    );
    harness.shut_down().await;
}

#[tokio::test]
async fn methods_of_other_consumers_are_not_found() {
    let harness = Harness::new().await;
    let (ada, eve) = (harness.consumer(), harness.consumer());
    let id = ada.add_method(Card::Good).await;
    eve.add_method(Card::Good).await;
    let grpc = harness.grpc();

    let got = into_result(
        grpc.get_payment_method(eve.request(GetPaymentMethodRequest {
            payment_method_id: id.clone(),
        }))
        .await,
    );
    assert_eq!(got.unwrap_err().reason, "PAYMENT_METHOD_UNKNOWN");
    let delete = DeletePaymentMethodRequest {
        payment_method_id: id.clone(),
    };
    assert_eq!(
        into_result(grpc.delete_payment_method(eve.request(delete)).await)
            .unwrap_err()
            .reason,
        "PAYMENT_METHOD_UNKNOWN"
    );
    let default = SetDefaultPaymentMethodRequest {
        payment_method_id: id.clone(),
    };
    let error = into_result(grpc.set_default_payment_method(eve.request(default)).await).unwrap_err();
    assert_eq!(error.reason, "PAYMENT_METHOD_UNKNOWN");
    assert!(
        eve.list_methods().await[0].is_default,
        "a rejected change keeps the default"
    );

    let own = into_result(
        grpc.get_payment_method(ada.request(GetPaymentMethodRequest {
            payment_method_id: id,
        }))
        .await,
    );
    assert!(own.is_ok());
    let malformed = GetPaymentMethodRequest {
        payment_method_id: "pay_nonsense".into(),
    };
    assert_eq!(
        into_result(grpc.get_payment_method(ada.request(malformed)).await)
            .unwrap_err()
            .reason,
        "ID_MALFORMED"
    );
    let service = request_from_service("ordering", ListPaymentMethodsRequest::default());
    assert_eq!(
        into_result(grpc.list_payment_methods(service).await)
            .unwrap_err()
            .reason,
        "FORBIDDEN"
    );
    harness.shut_down().await;
}

#[tokio::test]
async fn a_deleted_method_is_detached_and_not_imported_again() {
    let harness = Harness::new().await;
    let (ada, id) = harness.consumer_with(Card::Good).await;
    let delete = DeletePaymentMethodRequest {
        payment_method_id: id,
    };
    let response = into_result(
        harness
            .grpc()
            .delete_payment_method(ada.request(delete.clone()))
            .await,
    )
    .unwrap();
    assert!(response.methods.is_empty());
    assert_eq!(
        harness.method_removals().await,
        [false, false, true],
        "added, made the default, removed"
    );

    // The provider lists the method until the effect is executed.
    assert_eq!(harness.sandbox.count_attached_methods().await, 1);
    assert!(ada.add_card().await.is_empty());
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.count_attached_methods().await, 0);

    let again = into_result(harness.grpc().delete_payment_method(ada.request(delete)).await);
    assert_eq!(again.unwrap_err().reason, "PAYMENT_METHOD_UNKNOWN");
    harness.shut_down().await;
}

#[tokio::test]
async fn the_default_can_be_changed_and_unset_and_stays_where_another_method_is_first() {
    let harness = Harness::new().await;
    let (ada, first) = harness.consumer_with(Card::Good).await;
    let second = ada.add_method(Card::DeclinesWhenCharged).await;
    let grpc = harness.grpc();
    let set = |id: &str| {
        ada.request(SetDefaultPaymentMethodRequest {
            payment_method_id: id.to_owned(),
        })
    };
    let ids_and_defaults = |methods: Vec<proto::payments::v1::PaymentMethod>| {
        methods
            .into_iter()
            .map(|method| (method.payment_method_id, method.is_default))
            .collect::<Vec<_>>()
    };

    let changed = into_result(grpc.set_default_payment_method(set(&second)).await)
        .unwrap()
        .methods;
    assert_eq!(
        ids_and_defaults(changed),
        [(second.clone(), true), (first.clone(), false)]
    );
    let list = ListPaymentMethodsRequest {
        include_default_payment_method_id: first.clone(),
    };
    let other_first = into_result(grpc.list_payment_methods(ada.request(list)).await)
        .unwrap()
        .methods;
    assert_eq!(ids_and_defaults(other_first), [(first, false), (second, true)]);
    let unset = into_result(
        grpc.unset_default_payment_method(ada.request(UnsetDefaultPaymentMethodRequest {}))
            .await,
    )
    .unwrap();
    assert!(unset.methods.iter().all(|method| !method.is_default));
    harness.shut_down().await;
}
