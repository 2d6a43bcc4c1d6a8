//! Promo codes: valid, invalid, repeated and concurrent.

use std::sync::Arc;

use futures::future::join_all;
use kit::{ErrorCode, ServiceError};
use proto::rewards::v1::{ClaimDiscountRequest, CloseClaimRequest, rewards_server::Rewards as _};

use crate::harness::{
    Harness, abandoned, claim_request, consumer_registered, new_consumer, new_order, order_snapshot,
    request_from_consumer, usd,
};

#[tokio::test]
async fn a_code_discounts_its_amount_or_rate() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
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
        "at most the subtotal"
    );
    harness.close().await;
}

#[tokio::test]
async fn a_code_that_does_not_apply_has_a_reason_and_a_message() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    for (code, cents, reason) in [
        ("NOSUCH", 640, "PROMO_UNKNOWN"),
        ("", 640, "PROMO_UNKNOWN"),
        ("'; --\0", 640, "PROMO_UNKNOWN"),
        ("EXPIRED1", 640, "PROMO_EXPIRED"),
        ("FRESH10", 499, "PROMO_MINIMUM"),
    ] {
        let price = harness.price(consumer, code, cents).await;
        assert_eq!((price.reason.as_str(), price.amount), (reason, usd(0)));
        assert!(price.message.ends_with('.'), "not a sentence: {}", price.message);
        let claim = harness.claim(new_order(), consumer, code, cents).await.unwrap();
        assert_eq!(claim.reason, reason);
    }
    assert_eq!(harness.count_claims().await, 0);
    harness.close().await;
}

#[tokio::test]
async fn a_code_allowed_once_can_be_used_again_after_its_release() {
    let harness = Harness::start().await;
    let (consumer, first, second) = (new_consumer(), new_order(), new_order());
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
    // A repeated request returns the same claim; a different one is an error.
    assert_eq!(
        harness
            .claim(first, consumer, "welcome3", 640)
            .await
            .unwrap()
            .amount,
        usd(300)
    );
    for (code, cents) in [("WELCOME3", 641), ("FRESH10", 640)] {
        let error = harness.claim(first, consumer, code, cents).await.unwrap_err();
        assert_eq!(
            (error.code, &*error.reason),
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
async fn an_order_cannot_claim_after_closing() {
    let harness = Harness::start().await;
    let (consumer, never_claimed, released) = (new_consumer(), new_order(), new_order());
    assert!(!harness.close_claim(never_claimed).await && !harness.close_claim(never_claimed).await);
    harness.claim(released, consumer, "FRESH10", 640).await.unwrap();
    harness.close_claim(released).await;
    let unclaimed = new_order();
    harness
        .receive(abandoned(order_snapshot(unclaimed, consumer)))
        .await
        .unwrap();
    for closed in [never_claimed, released, unclaimed] {
        let error = harness.claim(closed, consumer, "FRESH10", 640).await.unwrap_err();
        assert_eq!(
            (error.code, &*error.reason),
            (ErrorCode::Conflict, "CLAIM_CLOSED")
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn invalid_requests_name_the_field() {
    let harness = Harness::start().await;
    let valid = claim_request(new_order(), new_consumer(), "FRESH10", 640);
    let cases = [
        (
            ClaimDiscountRequest {
                order_id: "ord_1".into(),
                ..valid.clone()
            },
            "ID_MALFORMED",
            "orderId",
        ),
        (
            ClaimDiscountRequest {
                consumer_id: String::new(),
                ..valid.clone()
            },
            "ID_MALFORMED",
            "consumerId",
        ),
        (
            ClaimDiscountRequest {
                subtotal: None,
                ..valid.clone()
            },
            "AMOUNT_MALFORMED",
            "subtotal",
        ),
        (
            ClaimDiscountRequest {
                subtotal: usd(-1),
                ..valid.clone()
            },
            "AMOUNT_INVALID",
            "subtotal",
        ),
        (
            ClaimDiscountRequest {
                drink_price: usd(-1),
                ..valid.clone()
            },
            "AMOUNT_INVALID",
            "drinkPrice",
        ),
    ];
    for (request, reason, field) in cases {
        let error = harness.claim_discount(request).await.unwrap_err();
        assert_eq!((&*error.reason, error.field.as_deref()), (reason, Some(field)));
    }
    let status = harness
        .grpc()
        .claim_discount(request_from_consumer(new_consumer(), valid))
        .await
        .unwrap_err();
    assert_eq!(ServiceError::from_status(&status).code, ErrorCode::Forbidden);
    let close = CloseClaimRequest {
        order_id: new_order().to_string(),
    };
    assert!(
        harness
            .grpc()
            .close_claim(request_from_consumer(new_consumer(), close))
            .await
            .is_err()
    );
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_equal_requests_create_one_claim() {
    let harness = Arc::new(Harness::start().await);
    let (consumer, order) = (new_consumer(), new_order());
    let requests = (0..20).map(|_| {
        let harness = Arc::clone(&harness);
        tokio::spawn(async move { harness.claim(order, consumer, "WELCOME3", 640).await.unwrap() })
    });
    let claims: Vec<_> = join_all(requests).await.into_iter().map(Result::unwrap).collect();
    assert!(
        claims
            .iter()
            .all(|claim| claim == &claims[0] && claim.amount == usd(300)),
        "{claims:?}"
    );
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_twenty_concurrent_orders_claims_a_code_allowed_once() {
    let harness = Arc::new(Harness::start().await);
    let consumer = new_consumer();
    let requests = (0..20).map(|_| {
        let harness = Arc::clone(&harness);
        tokio::spawn(async move {
            harness
                .claim(new_order(), consumer, "WELCOME3", 640)
                .await
                .unwrap()
        })
    });
    let claims: Vec<_> = join_all(requests).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(claims.iter().filter(|claim| claim.reason.is_empty()).count(), 1);
    assert_eq!(
        claims.iter().filter(|claim| claim.reason == "PROMO_USED").count(),
        19
    );
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_concurrent_with_its_close_claims_nothing() {
    let harness = Arc::new(Harness::start().await);
    let consumer = new_consumer();
    for _ in 0..30 {
        let order = new_order();
        let (claimer, closer) = (Arc::clone(&harness), Arc::clone(&harness));
        let claim = tokio::spawn(async move { claimer.claim(order, consumer, "WELCOME3", 640).await });
        let close = tokio::spawn(async move { closer.close_claim(order).await });
        let (claim, released) = (claim.await.unwrap(), close.await.unwrap());
        match claim {
            Ok(claim) => assert!(released && claim.reason.is_empty(), "{claim:?}"),
            Err(error) => assert!(!released && error.reason == "CLAIM_CLOSED", "{error}"),
        }
        assert_eq!(harness.price(consumer, "WELCOME3", 640).await.reason, "");
    }
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limited_code_is_never_claimed_more_often_than_its_limit() {
    let harness = Arc::new(Harness::start().await);
    sqlx::query(
        "INSERT INTO promos (code, amount, once, starts_at, max_claims) VALUES ('FIRST5', 100, true, '2026-01-01', 5)",
    )
    .execute(&harness.cx.pool)
    .await
    .unwrap();
    let requests = (0..12).map(|_| {
        let harness = Arc::clone(&harness);
        tokio::spawn(async move {
            let order = new_order();
            (
                order,
                harness.claim(order, new_consumer(), "FIRST5", 640).await.unwrap(),
            )
        })
    });
    let claims: Vec<_> = join_all(requests).await.into_iter().map(Result::unwrap).collect();
    let successful: Vec<_> = claims
        .iter()
        .filter(|(_, claim)| claim.reason.is_empty())
        .collect();
    assert_eq!(successful.len(), 5);
    assert!(
        claims
            .iter()
            .all(|(_, claim)| ["", "PROMO_EXPIRED"].contains(&claim.reason.as_str()))
    );
    assert_eq!(
        harness.price(new_consumer(), "FIRST5", 640).await.reason,
        "PROMO_EXPIRED"
    );
    assert!(harness.close_claim(successful[0].0).await && harness.close_claim(successful[0].0).await);
    assert_eq!(
        harness
            .claim(new_order(), new_consumer(), "FIRST5", 640)
            .await
            .unwrap()
            .reason,
        ""
    );
    assert_eq!(
        harness
            .claim(new_order(), new_consumer(), "FIRST5", 640)
            .await
            .unwrap()
            .reason,
        "PROMO_EXPIRED"
    );
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test]
async fn a_phone_number_cannot_use_a_code_again_with_a_new_account() {
    let harness = Harness::start().await;
    let (before, after) = (new_consumer(), new_consumer());
    // The claim is made before the registration is received.
    harness.claim(new_order(), before, "WELCOME3", 640).await.unwrap();
    harness.receive(consumer_registered(before)).await.unwrap();
    harness.receive(consumer_registered(after)).await.unwrap();
    assert_eq!(harness.price(after, "WELCOME3", 640).await.reason, "PROMO_USED");
    assert_eq!(
        harness
            .claim(new_order(), after, "WELCOME3", 640)
            .await
            .unwrap()
            .reason,
        "PROMO_USED"
    );
    harness.close().await;
}
