//! Promo codes: right, wrong, repeated and raced.

use std::sync::Arc;

use futures::future::join_all;
use kit::{ErrorCode, ServiceError};
use proto::{
    accounts::v1::ConsumerRegistered,
    ordering::v1::OrderAbandoned,
    rewards::v1::{ClaimDiscountRequest, CloseClaimRequest, rewards_server::Rewards as _},
};
use types::ConsumerId;

use crate::harness::{Harness, request_from_consumer, claiming, consumer, fact, order, usd};

#[tokio::test]
async fn a_code_takes_off_what_it_says() {
    let harness = Harness::start().await;
    let consumer = consumer();
    let price = harness.price(consumer, " fresh10 ", 640).await;
    assert_eq!(
        (price.code.as_str(), price.r#type.as_str(), price.amount),
        ("FRESH10", "percent", usd(64))
    );
    let price = harness.price(consumer, "WELCOME3", 640).await;
    assert_eq!(
        (price.r#type.as_str(), price.amount, price.reason.as_str()),
        ("fixed", usd(300), "")
    );
    assert_eq!(
        harness.price(consumer, "WELCOME3", 250).await.amount,
        usd(250),
        "never more than there is"
    );
    harness.close().await;
}

#[tokio::test]
async fn a_code_that_does_not_hold_says_why() {
    let harness = Harness::start().await;
    let consumer = consumer();
    for (code, cents, reason) in [
        ("NOSUCH", 640, "PROMO_UNKNOWN"),
        ("", 640, "PROMO_UNKNOWN"),
        ("'; --\0", 640, "PROMO_UNKNOWN"),
        ("EXPIRED1", 640, "PROMO_EXPIRED"),
        ("FRESH10", 499, "PROMO_MINIMUM"),
    ] {
        let price = harness.price(consumer, code, cents).await;
        assert_eq!((price.reason.as_str(), price.amount), (reason, usd(0)));
        assert!(price.message.ends_with('.'), "a sentence: {}", price.message);
        let claim = harness.claim(order(), consumer, code, cents).await.unwrap();
        assert_eq!(claim.reason, reason);
    }
    let claims: i64 = sqlx::query_scalar("SELECT count(*) FROM claims")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(claims, 0);
    harness.close().await;
}

#[tokio::test]
async fn once_is_once_until_it_is_given_back() {
    let harness = Harness::start().await;
    let (consumer, first, second) = (consumer(), order(), order());
    assert_eq!(
        harness
            .claim(first, consumer, "WELCOME3", 640)
            .await
            .unwrap()
            .amount,
        usd(300)
    );
    assert_eq!(
        harness.price(consumer, "WELCOME3", 640).await.reason,
        "PROMO_USED"
    );
    assert_eq!(
        harness
            .claim(second, consumer, "WELCOME3", 640)
            .await
            .unwrap()
            .reason,
        "PROMO_USED"
    );
    // Repeated, it is the same claim, and no other.
    assert_eq!(
        harness
            .claim(first, consumer, "welcome3", 640)
            .await
            .unwrap()
            .amount,
        usd(300)
    );
    for (code, cents) in [("WELCOME3", 641), ("FRESH10", 640)] {
        let refusal = harness.claim(first, consumer, code, cents).await.unwrap_err();
        assert_eq!(
            (refusal.code, &*refusal.reason),
            (ErrorCode::Conflict, "CLAIM_MISMATCH")
        );
    }
    assert!(harness.close_claim(first).await && harness.close_claim(first).await);
    assert_eq!(
        harness
            .claim(second, consumer, "WELCOME3", 640)
            .await
            .unwrap()
            .reason,
        ""
    );
    harness.close().await;
}

#[tokio::test]
async fn a_closed_order_never_claims() {
    let harness = Harness::start().await;
    let (consumer, early, late) = (consumer(), order(), order());
    assert!(!harness.close_claim(early).await && !harness.close_claim(early).await);
    harness.claim(late, consumer, "FRESH10", 640).await.unwrap();
    harness.close_claim(late).await;
    let abandoned = order();
    let fact = OrderAbandoned {
        order: Some(fact(abandoned, consumer)),
    };
    harness.hears(fact).await.unwrap();
    for closed in [early, late, abandoned] {
        let refusal = harness.claim(closed, consumer, "FRESH10", 640).await.unwrap_err();
        assert_eq!(
            (refusal.code, &*refusal.reason),
            (ErrorCode::Conflict, "CLAIM_CLOSED")
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn malformed_requests_are_refused_by_field() {
    let harness = Harness::start().await;
    let good = claiming(order(), consumer(), "FRESH10", 640);
    let cases = [
        (
            ClaimDiscountRequest {
                order_id: "ord_1".into(),
                ..good.clone()
            },
            "ID_MALFORMED",
            "orderId",
        ),
        (
            ClaimDiscountRequest {
                consumer_id: String::new(),
                ..good.clone()
            },
            "ID_MALFORMED",
            "consumerId",
        ),
        (
            ClaimDiscountRequest {
                subtotal: None,
                ..good.clone()
            },
            "AMOUNT_MALFORMED",
            "subtotal",
        ),
        (
            ClaimDiscountRequest {
                subtotal: usd(-1),
                ..good.clone()
            },
            "AMOUNT_INVALID",
            "subtotal",
        ),
    ];
    for (request, reason, field) in cases {
        let refusal = harness.ask(request).await.unwrap_err();
        assert_eq!(
            (&*refusal.reason, refusal.field.as_deref()),
            (reason, Some(field))
        );
    }
    let status = harness
        .grpc()
        .claim_discount(request_from_consumer(consumer(), good))
        .await
        .unwrap_err();
    assert_eq!(ServiceError::from_status(&status).code, ErrorCode::Forbidden);
    let close = CloseClaimRequest {
        order_id: order().to_string(),
    };
    assert!(
        harness
            .grpc()
            .close_claim(request_from_consumer(consumer(), close))
            .await
            .is_err()
    );
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_equal_claims_are_one() {
    let harness = Arc::new(Harness::start().await);
    let (consumer, order) = (consumer(), order());
    let asked = (0..20).map(|_| {
        let harness = Arc::clone(&harness);
        tokio::spawn(async move { harness.claim(order, consumer, "WELCOME3", 640).await.unwrap() })
    });
    let claims: Vec<_> = join_all(asked).await.into_iter().map(Result::unwrap).collect();
    assert!(
        claims
            .iter()
            .all(|claim| claim == &claims[0] && claim.amount == usd(300)),
        "{claims:?}"
    );
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_orders_race_for_one_code() {
    let harness = Arc::new(Harness::start().await);
    let consumer = consumer();
    let asked = (0..20).map(|_| {
        let harness = Arc::clone(&harness);
        tokio::spawn(async move { harness.claim(order(), consumer, "WELCOME3", 640).await.unwrap() })
    });
    let claims: Vec<_> = join_all(asked).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(claims.iter().filter(|claim| claim.reason.is_empty()).count(), 1);
    assert_eq!(
        claims.iter().filter(|claim| claim.reason == "PROMO_USED").count(),
        19
    );
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_that_races_its_close_leaves_nothing_claimed() {
    let harness = Arc::new(Harness::start().await);
    let consumer = consumer();
    for _ in 0..30 {
        let order = order();
        let (claimer, closer) = (Arc::clone(&harness), Arc::clone(&harness));
        let claim = tokio::spawn(async move { claimer.claim(order, consumer, "WELCOME3", 640).await });
        let close = tokio::spawn(async move { closer.close_claim(order).await });
        let (claim, released) = (claim.await.unwrap(), close.await.unwrap());
        match claim {
            Ok(claim) => assert!(released && claim.reason.is_empty(), "{claim:?}"),
            Err(refusal) => assert!(!released && refusal.reason == "CLAIM_CLOSED", "{refusal}"),
        }
        assert_eq!(harness.price(consumer, "WELCOME3", 640).await.reason, "");
    }
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limited_code_is_claimed_as_often_as_it_may_be() {
    let harness = Arc::new(Harness::start().await);
    sqlx::query(
        "INSERT INTO promos (code, amount, once, starts_at, most_claims) VALUES ('FIRST5', 100, true, '2026-01-01', 5)",
    )
    .execute(&harness.cx.pool)
    .await
    .unwrap();
    let asked = (0..12).map(|_| {
        let harness = Arc::clone(&harness);
        tokio::spawn(async move {
            let order = order();
            (
                order,
                harness.claim(order, consumer(), "FIRST5", 640).await.unwrap(),
            )
        })
    });
    let claims: Vec<_> = join_all(asked).await.into_iter().map(Result::unwrap).collect();
    let won: Vec<_> = claims
        .iter()
        .filter(|(_, claim)| claim.reason.is_empty())
        .collect();
    assert_eq!(won.len(), 5);
    assert!(
        claims
            .iter()
            .all(|(_, claim)| ["", "PROMO_EXPIRED"].contains(&claim.reason.as_str()))
    );
    assert_eq!(
        harness.price(consumer(), "FIRST5", 640).await.reason,
        "PROMO_EXPIRED"
    );
    assert!(harness.close_claim(won[0].0).await && harness.close_claim(won[0].0).await);
    assert_eq!(
        harness
            .claim(order(), consumer(), "FIRST5", 640)
            .await
            .unwrap()
            .reason,
        ""
    );
    assert_eq!(
        harness
            .claim(order(), consumer(), "FIRST5", 640)
            .await
            .unwrap()
            .reason,
        "PROMO_EXPIRED"
    );
    Arc::into_inner(harness).unwrap().close().await;
}

fn registered(consumer: ConsumerId) -> ConsumerRegistered {
    ConsumerRegistered {
        consumer_id: consumer.to_string(),
        registered_at: String::new(),
        phone_hash: "hash of a number".to_owned(),
    }
}

#[tokio::test]
async fn a_phone_number_that_registers_again_is_the_same() {
    let harness = Harness::start().await;
    let (before, after) = (consumer(), consumer());
    // The claim comes before the registration is heard of.
    harness.claim(order(), before, "WELCOME3", 640).await.unwrap();
    harness.hears(registered(before)).await.unwrap();
    harness.hears(registered(after)).await.unwrap();
    assert_eq!(harness.price(after, "WELCOME3", 640).await.reason, "PROMO_USED");
    assert_eq!(
        harness
            .claim(order(), after, "WELCOME3", 640)
            .await
            .unwrap()
            .reason,
        "PROMO_USED"
    );
    harness.close().await;
}
