//! A provider that no longer knows whom it knew: its customers were deleted there, or our keys are those of another
//! account. Cards can be added again, and what is gone says so.

use std::time::Duration;

use proto::payments::v1::{ChargeState, PaymentMethod};
use serde_json::json;
use types::ConsumerId;
use uuid::Uuid;

use crate::harness::{Card, Consumer, World, order};

/// How a provider comes not to know its customers.
#[derive(Debug, Clone, Copy)]
enum Loss {
    Deleted,
    OtherAccount,
}

const LOSSES: [Loss; 2] = [Loss::Deleted, Loss::OtherAccount];

impl Loss {
    async fn happens_to(self, world: &World) {
        match self {
            Self::Deleted => world.sandbox.deletes_customers().await,
            Self::OtherAccount => world.sandbox.forgets_everything().await,
        }
    }
}

fn ids(methods: &[PaymentMethod]) -> Vec<&str> {
    methods
        .iter()
        .map(|method| method.payment_method_id.as_str())
        .collect()
}

/// The one customer that the provider has for a consumer.
async fn customer_of(world: &World, consumer: &Consumer<'_>) -> String {
    let customers = world.sandbox.customers().await;
    let own: Vec<_> = customers
        .iter()
        .filter(|customer| customer["metadata"]["consumer_id"] == consumer.id.to_string())
        .collect();
    assert_eq!(own.len(), 1, "{own:#?}");
    own[0]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_customer_that_is_gone_is_made_anew_and_cards_can_be_added_again() {
    for loss in LOSSES {
        let world = World::new().await;
        let ada = world.consumer();
        let old = ada.adds(Card::Good).await;
        let before = customer_of(&world, &ada).await;
        // Twice: what it was made anew as may be lost too.
        for _ in 0..2 {
            loss.happens_to(&world).await;
            ada.confirms(Card::Good).await;
            let methods = ada.add_card().await;
            assert_eq!(
                methods.len(),
                1,
                "{loss:?}: what the provider lost is not offered"
            );
            assert_ne!(methods[0].payment_method_id, old, "{loss:?}");
            assert!(methods[0].is_default, "{loss:?}");
            assert_ne!(customer_of(&world, &ada).await, before, "{loss:?}");
        }
        let new = ada.methods().await.remove(0).payment_method_id;
        let charge = world.authorize(order(), &ada, &new).await.unwrap();
        assert_eq!(charge.state(), ChargeState::Authorized, "{loss:?}");
        world.end().await;
    }
}

#[tokio::test]
async fn taking_over_alone_finds_out_and_leaves_no_dead_methods() {
    for loss in LOSSES {
        let world = World::new().await;
        let (ada, bob) = (world.consumer(), world.consumer());
        ada.adds(Card::Good).await;
        ada.adds(Card::NeedsAuthentication).await;
        loss.happens_to(&world).await;
        let told = world.count("outbox").await;
        assert!(ada.add_card().await.is_empty(), "{loss:?}");
        assert_eq!(
            world.count("outbox").await,
            told + 2,
            "{loss:?}: others hear of each that is gone"
        );
        assert!(bob.add_card().await.is_empty(), "{loss:?}");
        world.end().await;
    }
}

/// As of two replicas: nothing but the database and the provider keeps the calls apart.
#[tokio::test]
async fn twenty_calls_at_once_make_one_customer_anew() {
    for loss in LOSSES {
        let world = World::new().await;
        let ada = world.consumer();
        ada.adds(Card::Good).await;
        loss.happens_to(&world).await;
        let secrets = futures::future::join_all((0..20).map(|_| ada.card_secret()));
        let taken_over = futures::future::join_all((0..20).map(|_| ada.add_card()));
        let (secrets, lists) = futures::future::join(secrets, taken_over).await;
        assert!(lists.iter().all(Vec::is_empty), "{loss:?}: {lists:#?}");
        customer_of(&world, &ada).await;

        // Each secret is of that customer.
        world.sandbox.confirm_setup(&secrets[0], Card::Good).await;
        world
            .sandbox
            .confirm_setup(&secrets[19], Card::NeedsAuthentication)
            .await;
        assert_eq!(ada.add_card().await.len(), 2, "{loss:?}");
        world.end().await;
    }
}

#[tokio::test]
async fn paying_with_a_method_of_a_lost_customer_is_refused_and_asks_for_another() {
    for loss in LOSSES {
        let world = World::new().await;
        let ada = world.consumer();
        let first = ada.adds(Card::Good).await;
        ada.adds(Card::NeedsAuthentication).await;
        loss.happens_to(&world).await;
        let order = order();
        let charge = world.authorize(order, &ada, &first).await.unwrap();
        assert_eq!(
            (charge.state(), charge.decline_reason.as_str()),
            (ChargeState::Declined, "PAYMENT_METHOD_UNKNOWN"),
            "{loss:?}"
        );
        assert_eq!(
            charge.decline_message,
            "This payment method does not exist any more. Choose another one."
        );
        assert_eq!(
            world.authorize(order, &ada, &first).await.unwrap(),
            charge,
            "{loss:?}: the same call gets the same answer"
        );
        assert!(
            ada.methods().await.is_empty(),
            "{loss:?}: the others went with the customer"
        );
        let again = world.authorize(crate::harness::order(), &ada, &first).await;
        assert_eq!(again.unwrap_err().reason, "PAYMENT_METHOD_UNKNOWN", "{loss:?}");

        let new = ada.adds(Card::Good).await;
        let paid = world
            .authorize(crate::harness::order(), &ada, &new)
            .await
            .unwrap();
        assert_eq!(paid.state(), ChargeState::Authorized, "{loss:?}");
        world.carry_out().await;
        world.end().await;
    }
}

#[tokio::test]
async fn a_method_that_was_detached_over_there_goes_alone() {
    let world = World::new().await;
    let ada = world.consumer();
    let kept = ada.adds(Card::Good).await;
    let gone = ada.adds(Card::NeedsAuthentication).await;
    world.sandbox.detaches_newest().await;
    let charge = world.authorize(order(), &ada, &gone).await.unwrap();
    assert_eq!(
        (charge.state(), charge.decline_reason.as_str()),
        (ChargeState::Declined, "PAYMENT_METHOD_UNKNOWN")
    );
    assert_eq!(ids(&ada.methods().await), [kept.as_str()]);
    let paid = world.authorize(order(), &ada, &kept).await.unwrap();
    assert_eq!(paid.state(), ChargeState::Authorized);
    world.end().await;
}

/// The provider's refusal is slow; by the time it comes the consumer has a new customer and a new card.
#[tokio::test]
async fn late_news_of_the_lost_customer_takes_nothing_from_the_new_one() {
    let world = World::new().await;
    let ada = world.consumer();
    let old = ada.adds(Card::Good).await;
    world.sandbox.deletes_customers().await;
    let fault = json!({ "ms": 800 });
    world.sandbox.fault("slow", "/v1/payment_intents", fault).await;
    let refused = world.authorize(order(), &ada, &old);
    let meanwhile = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        ada.adds(Card::Good).await
    };
    let (refused, new) = futures::future::join(refused, meanwhile).await;
    assert_eq!(refused.unwrap().decline_reason, "PAYMENT_METHOD_UNKNOWN");
    assert_eq!(ids(&ada.methods().await), [new.as_str()]);
    world.end().await;
}

#[tokio::test]
async fn a_charge_whose_customer_was_lost_on_the_way_is_closed_with_nothing_held() {
    for loss in LOSSES {
        for kind in ["reset_before", "reset_after"] {
            let world = World::new().await;
            let ada = world.consumer();
            let card = ada.adds(Card::Good).await;
            let order = order();
            world.sandbox.fault(kind, "/v1/payment_intents", json!({})).await;
            world.authorize(order, &ada, &card).await.unwrap_err();
            loss.happens_to(&world).await;
            world.close(order).await;
            world.carry_out().await;
            assert_eq!(world.sandbox.money_held().await, 0, "{loss:?} {kind}");
            assert_eq!(world.state(order).await, "voided", "{loss:?} {kind}");
            world.end().await;
        }
    }
}

#[tokio::test]
async fn the_demo_consumer_s_card_does_not_wait_for_a_customer_that_is_gone() {
    let world = World::new().await;
    let maya = world.consumer_of(ConsumerId::from_uuid(Uuid::from_u128(
        0x018f_0000_0000_7000_8000_0000_0000_0001,
    )));
    assert!(maya.add_card().await.is_empty());
    world.sandbox.deletes_customers().await;
    payments::ops::attach_test_card::plan(&world.cx).await.unwrap();
    world.carry_out().await;
    assert_eq!(maya.methods().await.len(), 1);
    world.end().await;
}
