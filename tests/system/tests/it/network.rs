//! With a link between processes delayed, cut, garbled or silent, each request still ends: as without the fault, or with 503. After the
//! fault each idempotency key has a final response, and nothing is lost or held.

use std::time::Duration;

use futures::future::join_all;
use serde_json::json;

use crate::harness::{
    Checkout, Consumer, ExclusiveStack, Fault, Link, Reply, Store, exclusive_stack,
    exclusive_stack_with_short_saga_lease,
};

const FAULTS: [Fault; 4] = [
    Fault::Delay(Duration::from_millis(150)),
    Fault::Cut,
    Fault::Garble,
    Fault::Blackhole,
];

/// The reason of an order that recovery closed.
const NOT_PLACED: &str = "ORDER_NOT_PLACED";

async fn assert_requests_end(stack: &ExclusiveStack, select: impl Fn(&Link) -> bool) {
    let (ada, store) = (stack.consumer().await, stack.store());
    let (card, joepass) = (
        ada.with_card("4242424242424242").await,
        ada.with_joepass(50_000).await,
    );
    let links: Vec<_> = stack.links().iter().filter(|link| select(link)).collect();
    assert!(!links.is_empty(), "no link is selected");
    for fault in FAULTS {
        let checkouts = [
            ada.draft_order("Latte", &store, &card)
                .promo("FRESH10")
                .times(2)
                .priced()
                .await,
            ada.draft_order("Latte", &store, &joepass)
                .promo("FRESH10")
                .times(2)
                .priced()
                .await,
        ];
        for link in &links {
            link.set(Some(fault));
        }
        let (replies, reads) = tokio::join!(
            join_all(checkouts.iter().map(Checkout::place)),
            call_each_service(&ada, &store),
        );
        for link in &links {
            link.set(None);
        }
        for reply in &replies {
            assert_ended(reply, fault);
        }
        for reply in &reads {
            assert!(
                reply.status.is_success() || reply.is_unavailable(),
                "{fault:?}: {reply:?}"
            );
        }
        for checkout in &checkouts {
            let reply = checkout.place_until_final().await;
            assert_ended(&reply, fault);
            assert_eq!(
                checkout.place().await,
                reply,
                "the key returns the same response from then on"
            );
        }
    }
    ada.assert_consistent().await;
}

fn assert_ended(reply: &Reply, fault: Fault) {
    let is_expected = reply.status.is_success()
        || reply.is_unavailable()
        || (reply.status == 409 && reply.error_reason(409) == NOT_PLACED);
    assert!(is_expected, "{fault:?}: {reply:?}");
}

/// Sends one request for each service.
async fn call_each_service(ada: &Consumer, store: &Store) -> Vec<Reply> {
    let menu = format!("store/menu?storeId={}", store.id);
    let paths = [
        "user/profile",
        &menu,
        "user/orders",
        "payments/list?type=external",
        "user/wallet",
        "user/points",
    ];
    join_all(paths.iter().map(|path| ada.get(path))).await
}

macro_rules! fault_tests {
    ($($test:ident: $select:expr;)*) => {$(
        #[tokio::test]
        async fn $test() {
            let stack = exclusive_stack_with_short_saga_lease().await;
            assert_requests_end(&stack, $select).await;
        }
    )*};
}

fault_tests! {
    requests_end_without_a_link_to_accounts: |link| link.is_to("accounts");
    requests_end_without_a_link_to_stores: |link| link.is_to("stores");
    requests_end_without_a_link_to_ordering: |link| link.is_to("ordering");
    requests_end_without_a_link_to_payments: |link| link.is_to("payments");
    requests_end_without_a_link_to_gift_cards: |link| link.is_to("gift-cards");
    requests_end_without_a_link_to_rewards: |link| link.is_to("rewards");
    requests_end_without_a_link_to_the_provider: |link| link.is_to("card-sandbox");
    requests_end_without_a_link_to_redis: |link| link.is_to("redis");
    requests_end_without_a_link_to_the_broker: |link| link.is_to("rabbitmq");
    requests_end_without_a_link_to_the_database_of_ordering: |link| link.is_to("postgres") && link.is_from("ordering");
    requests_end_without_a_link_to_the_other_databases: |link| link.is_to("postgres") && !link.is_from("ordering");
}

#[tokio::test]
async fn with_a_silent_redis_orders_continue_and_sign_in_fails_closed() {
    let stack = exclusive_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (card, joepass) = (
        ada.with_card("4242424242424242").await,
        ada.with_joepass(5_000).await,
    );
    stack.set_fault_to("redis", Some(Fault::Blackhole));
    let by_card = ada.place_order("Latte", &store, &card).await;
    let by_joepass = ada.place_order("Latte", &store, &joepass).await;
    store.make(&by_card).await;
    ada.cancel(&by_joepass).await.data();
    let sign_in = ada
        .post("authentication/login", json!({ "phone": "+12065550199" }))
        .await;
    assert!(sign_in.is_unavailable(), "{sign_in:?}");
    assert!(
        !stack.messages().contains("+12065550199"),
        "a code was sent without a limit"
    );
    stack.set_fault_to("redis", None);
    ada.assert_consistent().await;
    stack.consumer().await;
}
