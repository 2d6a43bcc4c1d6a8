//! Payment methods: taken over from the provider, and nobody else's.

use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{
    DeletePaymentMethodRequest, GetPaymentMethodRequest, GetPublishableKeyRequest, ListPaymentMethodsRequest,
    SetDefaultPaymentMethodRequest, UnsetDefaultPaymentMethodRequest,
};

use crate::harness::{Card, World, request_from_service, into_result};

#[tokio::test]
async fn a_card_typed_into_the_page_becomes_a_method_and_the_first_is_the_default() {
    let world = World::new().await;
    let ada = world.consumer();
    ada.confirms(Card::Good).await;
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

    let second = ada.adds(Card::NeedsAuthentication).await;
    let methods = ada.methods().await;
    assert_eq!(methods.len(), 2);
    assert_eq!((methods[0].last4.as_str(), methods[0].is_default), ("4242", true));
    assert_eq!(
        (methods[1].payment_method_id.as_str(), methods[1].is_default),
        (second.as_str(), false)
    );

    // Asked again, nothing changes and nobody is told anything.
    let told = world.count("outbox").await;
    assert_eq!(ada.add_card().await, methods);
    assert_eq!(world.count("outbox").await, into_result);
    world.end().await;
}

#[tokio::test]
async fn the_key_for_the_page_is_told_without_a_set_up_intent() {
    let world = World::new().await;
    let ada = world.consumer();
    let asked = world
        .grpc()
        .get_publishable_key(ada.request(GetPublishableKeyRequest {}))
        .await;
    assert_eq!(into_result(asked).unwrap().publishable_key, "pk_test_payments");
    assert_eq!(world.sandbox.setup_intents().await, 0);
    assert_eq!(world.count("provider_customers").await, 0);
    let by_store = world
        .grpc()
        .get_publishable_key(request_from_service("stores", GetPublishableKeyRequest {}))
        .await;
    assert_eq!(into_result(by_store).unwrap_err().reason, "FORBIDDEN");
    world.end().await;
}

#[tokio::test]
async fn twenty_calls_at_once_make_one_customer_and_take_a_card_over_once() {
    let world = World::new().await;
    let ada = world.consumer();
    let calls = futures::future::join_all((0..20).map(|_| ada.add_card())).await;
    assert!(calls.iter().all(Vec::is_empty));
    assert_eq!(world.count("provider_customers").await, 1);

    ada.confirms(Card::Good).await;
    let calls = futures::future::join_all((0..20).map(|_| ada.add_card())).await;
    assert!(
        calls
            .iter()
            .all(|methods| *methods == calls[0] && methods.len() == 1)
    );
    world.end().await;
}

#[tokio::test]
async fn somebody_elses_method_is_as_good_as_none() {
    let world = World::new().await;
    let (ada, eve) = (world.consumer(), world.consumer());
    let id = ada.adds(Card::Good).await;
    eve.adds(Card::Good).await;
    let grpc = world.grpc();

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
    let refused = into_result(grpc.set_default_payment_method(eve.request(default)).await).unwrap_err();
    assert_eq!(refused.reason, "PAYMENT_METHOD_UNKNOWN");
    assert!(
        eve.methods().await[0].is_default,
        "a refused change leaves the default where it was"
    );

    let own = into_result(
        grpc.get_payment_method(ada.request(GetPaymentMethodRequest {
            payment_method_id: id,
        }))
        .await,
    );
    assert!(own.is_ok());
    let rubbish = GetPaymentMethodRequest {
        payment_method_id: "pay_nonsense".into(),
    };
    assert_eq!(
        into_result(grpc.get_payment_method(ada.request(rubbish)).await)
            .unwrap_err()
            .reason,
        "ID_MALFORMED"
    );
    let service = request_from_service("ordering", ListPaymentMethodsRequest::default());
    assert_eq!(
        into_result(grpc.list_payment_methods(service).await).unwrap_err().reason,
        "FORBIDDEN"
    );
    world.end().await;
}

#[tokio::test]
async fn a_deleted_method_is_detached_and_does_not_come_back() {
    let world = World::new().await;
    let ada = world.consumer();
    let id = ada.adds(Card::Good).await;
    let delete = DeletePaymentMethodRequest {
        payment_method_id: id,
    };
    let left = into_result(
        world
            .grpc()
            .delete_payment_method(ada.request(delete.clone()))
            .await,
    )
    .unwrap();
    assert!(left.methods.is_empty());

    // The provider still lists it until the worker has been there.
    assert_eq!(world.sandbox.attached().await, 1);
    assert!(ada.add_card().await.is_empty());
    world.carry_out().await;
    assert_eq!(world.sandbox.attached().await, 0);

    let again = into_result(world.grpc().delete_payment_method(ada.request(delete)).await);
    assert_eq!(again.unwrap_err().reason, "PAYMENT_METHOD_UNKNOWN");
    world.end().await;
}

#[tokio::test]
async fn the_default_moves_and_can_be_left_out() {
    let world = World::new().await;
    let ada = world.consumer();
    let first = ada.adds(Card::Good).await;
    let second = ada.adds(Card::DeclinesWhenCharged).await;
    let grpc = world.grpc();
    let set = |id: &str| {
        ada.request(SetDefaultPaymentMethodRequest {
            payment_method_id: id.to_owned(),
        })
    };
    let shown = |methods: Vec<proto::payments::v1::PaymentMethod>| {
        methods
            .into_iter()
            .map(|method| (method.payment_method_id, method.is_default))
            .collect::<Vec<_>>()
    };

    let moved = into_result(grpc.set_default_payment_method(set(&second)).await)
        .unwrap()
        .methods;
    assert_eq!(shown(moved), [(second.clone(), true), (first.clone(), false)]);
    let none = into_result(
        grpc.unset_default_payment_method(ada.request(UnsetDefaultPaymentMethodRequest {}))
            .await,
    )
    .unwrap();
    assert!(none.methods.iter().all(|method| !method.is_default));

    let list = ListPaymentMethodsRequest {
        include_default_payment_method_id: first.clone(),
    };
    let put_first = into_result(grpc.list_payment_methods(ada.request(list)).await)
        .unwrap()
        .methods;
    assert_eq!(shown(put_first), [(first, true), (second, false)]);
    world.end().await;
}

#[tokio::test]
async fn the_demo_consumer_gets_a_test_card_once() {
    let world = World::new().await;
    payments::ops::attach_test_card::plan(&world.cx).await.unwrap();
    world.carry_out().await;
    payments::ops::attach_test_card::plan(&world.cx).await.unwrap();
    world.carry_out().await;
    assert_eq!(world.sandbox.attached().await, 1);
    assert_eq!(world.count("payment_methods").await, 1);
    world.end().await;
}
