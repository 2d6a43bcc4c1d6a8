//! Tests of `deploy/dev/seed-test-card`, which adds a card through this service's API.

use proto::payments::v1::DeletePaymentMethodRequest;
use proto::payments::v1::payments_server::Payments as _;
use testing::into_result;

use crate::harness::{Harness, Program};

#[tokio::test]
async fn the_test_card_is_added_once() {
    let harness = Harness::new().await;
    let maya = harness.consumer();
    let mut program = Program::without_broker(&harness).await;
    program.serve(None).await;

    for _ in 0..2 {
        program.seed_test_card(maya.id, "sk_test_payments");
        let methods = maya.list_methods().await;
        assert_eq!(methods.len(), 1, "{methods:?}");
        assert_eq!((methods[0].last4.as_str(), methods[0].is_default), ("4242", true));
    }
    drop(program);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_deleted_test_card_is_not_added_again() {
    let harness = Harness::new().await;
    let maya = harness.consumer();
    let mut program = Program::without_broker(&harness).await;
    program.serve(None).await;

    program.seed_test_card(maya.id, "sk_test_payments");
    let request = DeletePaymentMethodRequest {
        payment_method_id: maya.list_methods().await[0].payment_method_id.clone(),
    };
    into_result(harness.grpc().delete_payment_method(maya.request(request)).await).unwrap();
    harness.execute_effects().await;
    program.seed_test_card(maya.id, "sk_test_payments");
    assert!(maya.list_methods().await.is_empty());
    drop(program);
    harness.shut_down().await;
}

#[tokio::test]
async fn the_test_card_is_added_to_the_replacement_of_a_missing_customer() {
    let harness = Harness::new().await;
    let maya = harness.consumer();
    let mut program = Program::without_broker(&harness).await;
    program.serve(None).await;

    assert!(maya.add_card().await.is_empty());
    harness.sandbox.delete_customers().await;
    program.seed_test_card(maya.id, "sk_test_payments");
    assert_eq!(maya.list_methods().await.len(), 1);
    drop(program);
    harness.shut_down().await;
}

#[tokio::test]
async fn no_test_card_is_added_with_a_live_key() {
    let harness = Harness::new().await;
    let maya = harness.consumer();
    let mut program = Program::without_broker(&harness).await;
    program.serve(None).await;

    program.seed_test_card(maya.id, "sk_live_payments");
    assert!(maya.list_methods().await.is_empty());
    assert_eq!(harness.sandbox.count_attached_methods().await, 0);
    drop(program);
    harness.shut_down().await;
}
