//! A hold from a balance that the check of the payment method has read.

use futures::future::join_all;
use gift_cards::{GiftCards, RecentBalances, grpc::Grpc};
use kit::ServiceError;
use proto::giftcards::v1::{
    FindBalanceRequest, Hold, InsufficientBalance, gift_cards_server::GiftCards as _,
};
use testing::{into_result, request_from_service};
use types::{ConsumerId, OrderId};

use crate::harness::{Harness, consumer_removed, hold_request, new_order, request_from_consumer, usd};

/// One of several replicas.
struct Replica(Grpc);

impl Replica {
    fn of(harness: &Harness) -> Self {
        Self(Grpc(GiftCards {
            recent_balances: RecentBalances::default(),
            ..harness.cx.clone()
        }))
    }

    /// Checks the payment method of an order.
    async fn check_joepass(&self, harness: &Harness, consumer: ConsumerId) {
        let balance_id = harness.joepass(consumer).await.to_string();
        let request = request_from_consumer(consumer, FindBalanceRequest { balance_id });
        let found = into_result(self.0.find_balance(request).await).unwrap();
        assert_eq!(found.name, "JoePass");
    }

    async fn hold(&self, order: OrderId, consumer: ConsumerId, cents: i64) -> Result<Hold, ServiceError> {
        let request = request_from_service("ordering", hold_request(order, consumer, cents));
        into_result(self.0.hold_value(request).await)
    }
}

#[tokio::test]
async fn a_hold_after_one_of_another_replica_is_from_the_remaining_balance() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(1_000).await;
    let (replica, other) = (Replica::of(&harness), Replica::of(&harness));
    replica.check_joepass(&harness, consumer).await;
    other.hold(new_order(), consumer, 300).await.unwrap();
    let order = new_order();
    let held = replica.hold(order, consumer, 700).await.unwrap();
    assert_eq!(held.available, usd(0));

    replica.check_joepass(&harness, consumer).await;
    assert_eq!(replica.hold(order, consumer, 700).await.unwrap(), held);
    let error = replica.hold(new_order(), consumer, 1).await.unwrap_err();
    assert_eq!(error.detail(), Some(InsufficientBalance { available: usd(0) }));
    assert_eq!(harness.wallet(consumer).await, (0, 1_000));
    harness.close().await;
}

#[tokio::test]
async fn value_that_was_added_after_the_check_can_be_held() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(100).await;
    let replica = Replica::of(&harness);
    let order = new_order();
    replica.hold(order, consumer, 100).await.unwrap();
    replica.check_joepass(&harness, consumer).await;
    harness.close_hold(order).await;
    let held = replica.hold(new_order(), consumer, 100).await.unwrap();
    assert_eq!(held.available, usd(0));
    harness.close().await;
}

#[tokio::test]
async fn holds_after_simultaneous_checks_of_two_replicas_never_exceed_the_balance() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(1_000).await;
    let replicas = [Replica::of(&harness), Replica::of(&harness)];
    let harness_ref = &harness;
    let orders = (0..30).map(|number: usize| {
        let replica = &replicas[number % 2];
        async move {
            replica.check_joepass(harness_ref, consumer).await;
            replica.hold(new_order(), consumer, 100).await.is_ok()
        }
    });
    let held = join_all(orders)
        .await
        .into_iter()
        .filter(|is_held| *is_held)
        .count();
    assert_eq!((held, harness.wallet(consumer).await), (10, (0, 1_000)));
    harness.close().await;
}

#[tokio::test]
async fn nothing_is_held_for_a_consumer_who_was_removed_after_the_check() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(1_000).await;
    let replica = Replica::of(&harness);
    replica.check_joepass(&harness, consumer).await;
    harness.receive(consumer_removed(consumer)).await.unwrap();
    let error = replica.hold(new_order(), consumer, 100).await.unwrap_err();
    assert_eq!(&*error.reason, "BALANCE_UNKNOWN");
    harness.close().await;
}
