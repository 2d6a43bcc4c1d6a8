//! Customers and payment methods that no longer exist at the provider: they were deleted there, or the configured keys
//! belong to another account.

use std::time::Duration;

use proto::payments::v1::{AuthorizeChargeRequest, Charge, ChargeState, PaymentMethod, WalletKind};
use serde_json::json;

use crate::harness::{Card, Consumer, Harness, authorize_request, new_order_id, wallet};

/// Cause of the missing customers.
#[derive(Debug, Clone, Copy)]
enum Cause {
    CustomersDeleted,
    OtherAccount,
}

const CAUSES: [Cause; 2] = [Cause::CustomersDeleted, Cause::OtherAccount];

impl Cause {
    async fn apply_to(self, harness: &Harness) {
        match self {
            Self::CustomersDeleted => harness.sandbox.delete_customers().await,
            Self::OtherAccount => harness.sandbox.restart_empty().await,
        }
    }
}

fn ids(methods: &[PaymentMethod]) -> Vec<&str> {
    methods
        .iter()
        .map(|method| method.payment_method_id.as_str())
        .collect()
}

/// Returns the id of the only customer that the provider has for a consumer.
async fn provider_customer_id(harness: &Harness, consumer: &Consumer<'_>) -> String {
    let customers = harness.sandbox.customers().await;
    let own: Vec<_> = customers
        .iter()
        .filter(|customer| customer["metadata"]["consumer_id"] == consumer.id.to_string())
        .collect();
    assert_eq!(own.len(), 1, "{own:#?}");
    own[0]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_missing_customer_is_replaced_and_cards_can_be_added_again() {
    for cause in CAUSES {
        let harness = Harness::new().await;
        let (ada, old) = harness.consumer_with(Card::Good).await;
        let before = provider_customer_id(&harness, &ada).await;
        // Repeated, because the replacement can be deleted too.
        for _ in 0..2 {
            cause.apply_to(&harness).await;
            ada.confirm_setup(Card::Good).await;
            let methods = ada.add_card().await;
            assert_eq!(methods.len(), 1, "{cause:?}: missing methods are not listed");
            assert_ne!(methods[0].payment_method_id, old, "{cause:?}");
            assert!(methods[0].is_default, "{cause:?}");
            assert_ne!(provider_customer_id(&harness, &ada).await, before, "{cause:?}");
        }
        let new = ada.list_methods().await.remove(0).payment_method_id;
        let charge = harness.authorize(new_order_id(), &ada, &new).await.unwrap();
        assert_eq!(charge.state(), ChargeState::Authorized, "{cause:?}");
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn importing_methods_detaches_those_of_a_missing_customer() {
    for cause in CAUSES {
        let harness = Harness::new().await;
        let (ada, bob) = (harness.consumer(), harness.consumer());
        ada.add_method(Card::Good).await;
        ada.add_method(Card::NeedsAuthentication).await;
        cause.apply_to(&harness).await;
        let events_before = harness.count_rows("outbox").await;
        assert!(ada.add_card().await.is_empty(), "{cause:?}");
        assert_eq!(
            harness.count_rows("outbox").await,
            events_before + 2,
            "{cause:?}: one event per detached method"
        );
        assert!(bob.add_card().await.is_empty(), "{cause:?}");
        harness.shut_down().await;
    }
}

/// The calls share no state but the database and the provider, as calls to different replicas do.
#[tokio::test]
async fn concurrent_calls_create_one_replacement_customer() {
    for cause in CAUSES {
        let harness = Harness::new().await;
        let ada = harness.consumer();
        ada.add_method(Card::Good).await;
        cause.apply_to(&harness).await;
        let secrets = futures::future::join_all((0..20).map(|_| ada.create_setup_intent()));
        let lists = futures::future::join_all((0..20).map(|_| ada.add_card()));
        let (secrets, lists) = futures::future::join(secrets, lists).await;
        assert!(lists.iter().all(Vec::is_empty), "{cause:?}: {lists:#?}");
        provider_customer_id(&harness, &ada).await;

        // All secrets belong to the replacement.
        harness.sandbox.confirm_setup(&secrets[0], Card::Good).await;
        harness
            .sandbox
            .confirm_setup(&secrets[19], Card::NeedsAuthentication)
            .await;
        assert_eq!(ada.add_card().await.len(), 2, "{cause:?}");
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn paying_with_a_method_of_a_missing_customer_is_declined() {
    for cause in CAUSES {
        let harness = Harness::new().await;
        let (ada, first) = harness.consumer_with(Card::Good).await;
        ada.add_method(Card::NeedsAuthentication).await;
        cause.apply_to(&harness).await;
        let order_id = new_order_id();
        let charge = harness.authorize(order_id, &ada, &first).await.unwrap();
        assert_eq!(
            (charge.state(), charge.decline_reason.as_str()),
            (ChargeState::Declined, "PAYMENT_METHOD_UNKNOWN"),
            "{cause:?}"
        );
        assert_eq!(
            charge.decline_message,
            "This payment method is no longer available. Choose another one."
        );
        assert_eq!(
            harness.authorize(order_id, &ada, &first).await.unwrap(),
            charge,
            "{cause:?}: a repeated call returns the same response"
        );
        assert!(
            ada.list_methods().await.is_empty(),
            "{cause:?}: the customer's other methods are detached"
        );
        let again = harness.authorize(new_order_id(), &ada, &first).await;
        assert_eq!(again.unwrap_err().reason, "PAYMENT_METHOD_UNKNOWN", "{cause:?}");

        let new = ada.add_method(Card::Good).await;
        let paid = harness.authorize(new_order_id(), &ada, &new).await.unwrap();
        assert_eq!(paid.state(), ChargeState::Authorized, "{cause:?}");
        harness.execute_effects().await;
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn a_method_detached_at_the_provider_does_not_affect_the_others() {
    let harness = Harness::new().await;
    let (ada, kept) = harness.consumer_with(Card::Good).await;
    let gone = ada.add_method(Card::NeedsAuthentication).await;
    harness.sandbox.detach_newest_method().await;
    let charge = harness.authorize(new_order_id(), &ada, &gone).await.unwrap();
    assert_eq!(
        (charge.state(), charge.decline_reason.as_str()),
        (ChargeState::Declined, "PAYMENT_METHOD_UNKNOWN")
    );
    assert_eq!(ids(&ada.list_methods().await), [kept.as_str()]);
    let paid = harness.authorize(new_order_id(), &ada, &kept).await.unwrap();
    assert_eq!(paid.state(), ChargeState::Authorized);
    harness.shut_down().await;
}

/// When the provider's delayed rejection arrives, the consumer has a new customer and a new card.
#[tokio::test]
async fn a_delayed_response_about_a_missing_customer_keeps_the_replacement_s_methods() {
    let harness = Harness::new().await;
    let (ada, old) = harness.consumer_with(Card::Good).await;
    harness.sandbox.delete_customers().await;
    let fault = json!({ "ms": 800 });
    harness
        .sandbox
        .inject_fault("slow", "/v1/payment_intents", fault)
        .await;
    let authorization = harness.authorize(new_order_id(), &ada, &old);
    let add_new_card = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        ada.add_method(Card::Good).await
    };
    let (declined, new) = futures::future::join(authorization, add_new_card).await;
    assert_eq!(declined.unwrap().decline_reason, "PAYMENT_METHOD_UNKNOWN");
    assert_eq!(ids(&ada.list_methods().await), [new.as_str()]);
    harness.shut_down().await;
}

#[tokio::test]
async fn closing_a_charge_of_a_missing_customer_leaves_nothing_held() {
    for cause in CAUSES {
        for kind in ["reset_before", "reset_after"] {
            let harness = Harness::new().await;
            let (ada, card) = harness.consumer_with(Card::Good).await;
            let order_id = new_order_id();
            harness
                .sandbox
                .inject_fault(kind, "/v1/payment_intents", json!({}))
                .await;
            harness.authorize(order_id, &ada, &card).await.unwrap_err();
            cause.apply_to(&harness).await;
            harness.close(order_id).await;
            harness.execute_effects().await;
            assert_eq!(
                harness.sandbox.held_or_captured_cents().await,
                0,
                "{cause:?} {kind}"
            );
            assert_eq!(harness.stored_state(order_id).await, "voided", "{cause:?} {kind}");
            harness.shut_down().await;
        }
    }
}

/// Pays for an order with a wallet, which creates a method for this payment.
async fn pay_with_wallet(harness: &Harness, consumer: &Consumer<'_>) -> Charge {
    let method = harness.sandbox.create_wallet_method(Some("apple_pay")).await;
    let request = AuthorizeChargeRequest {
        source: wallet(WalletKind::ApplePay, &method),
        ..authorize_request(new_order_id(), consumer, "")
    };
    harness.charge("ordering", request).await.unwrap()
}

#[tokio::test]
async fn a_wallet_pays_again_after_the_customer_was_found_missing() {
    for cause in CAUSES {
        let harness = Harness::new().await;
        let ada = harness.consumer();
        assert_eq!(
            pay_with_wallet(&harness, &ada).await.state(),
            ChargeState::Authorized
        );
        // Repeated, because the replacement can be deleted too.
        for _ in 0..2 {
            cause.apply_to(&harness).await;
            let declined = pay_with_wallet(&harness, &ada).await;
            assert_eq!(
                (declined.state(), declined.decline_reason.as_str()),
                (ChargeState::Declined, "PAYMENT_METHOD_UNKNOWN"),
                "{cause:?}"
            );
            let paid = pay_with_wallet(&harness, &ada).await;
            assert_eq!(paid.state(), ChargeState::Authorized, "{cause:?}");
            provider_customer_id(&harness, &ada).await;
        }
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn a_wallet_pays_after_a_card_of_a_missing_customer_was_declined() {
    for cause in CAUSES {
        let harness = Harness::new().await;
        let (ada, card) = harness.consumer_with(Card::Good).await;
        cause.apply_to(&harness).await;
        let declined = harness.authorize(new_order_id(), &ada, &card).await.unwrap();
        assert_eq!(declined.decline_reason, "PAYMENT_METHOD_UNKNOWN", "{cause:?}");
        let paid = pay_with_wallet(&harness, &ada).await;
        assert_eq!(paid.state(), ChargeState::Authorized, "{cause:?}");
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn concurrent_wallet_payments_create_one_replacement_customer() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    pay_with_wallet(&harness, &ada).await;
    harness.sandbox.delete_customers().await;
    futures::future::join_all((0..8).map(|_| pay_with_wallet(&harness, &ada))).await;
    provider_customer_id(&harness, &ada).await;
    let paid = pay_with_wallet(&harness, &ada).await;
    assert_eq!(paid.state(), ChargeState::Authorized);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_charge_is_declined_although_the_missing_customer_cannot_be_replaced() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    pay_with_wallet(&harness, &ada).await;
    harness.sandbox.delete_customers().await;
    harness
        .sandbox
        .inject_fault("error", "/v1/customers", json!({ "status": 503, "times": 2 }))
        .await;
    for expected in [
        ChargeState::Declined,
        ChargeState::Declined,
        ChargeState::Authorized,
    ] {
        assert_eq!(pay_with_wallet(&harness, &ada).await.state(), expected);
    }
    harness.shut_down().await;
}
