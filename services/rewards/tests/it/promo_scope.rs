//! Where codes of a company apply, and how often a consumer can use a code.

use std::sync::Arc;

use futures::future::join_all;
use proto::rewards::v1::{ClaimDiscountRequest, Discount, PriceDiscountRequest};
use rewards::ops::import_catalog::import_catalog;
use types::{ConsumerId, OrderId};

use crate::{
    catalogs::errors,
    harness::{
        Harness, claim_request, consumer_registered, consumer_removed, new_consumer, new_order,
        order_snapshot, rejected, usd,
    },
};

const JUNIPER_LANE: &str = "cmp_512wz9vgg2hshbxdaepf3pkx8d";
const HARBOR_AND_PINE: &str = "cmp_4t76bdz9cegh0vx55d357n887k";

const CATALOG: &str = r#"
catalog = "corner-cafe"
company_id = "cmp_4t76bdz9cegh0vx55d357n887k"
company_name = "Harbor & Pine"

[[promo]]
code = "CORNER2"
amount = 200
max_claims_per_consumer = 2
starts = "2026-01-01T00:00:00Z"

[[tier]]
points = 100
title = "A refill"
amount = 400
"#;

async fn price(harness: &Harness, consumer: ConsumerId, code: &str, company_id: &str) -> Discount {
    let request = PriceDiscountRequest {
        consumer_id: consumer.to_string(),
        code: code.to_owned(),
        subtotal: usd(640),
        drink_price: usd(540),
        company_id: company_id.to_owned(),
        ..PriceDiscountRequest::default()
    };
    harness.price_discount(request).await.unwrap()
}

async fn claim(
    harness: &Harness,
    order: OrderId,
    consumer: ConsumerId,
    code: &str,
    company_id: &str,
) -> Discount {
    let request = ClaimDiscountRequest {
        company_id: company_id.to_owned(),
        drink_price: usd(540),
        ..claim_request(order, consumer, code, 640)
    };
    harness.claim_discount(request).await.unwrap()
}

#[tokio::test]
async fn a_code_of_a_company_is_rejected_at_the_stores_of_others() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    for elsewhere in [HARBOR_AND_PINE, ""] {
        let price = price(&harness, consumer, "MAPLE1", elsewhere).await;
        assert_eq!(
            (&*price.reason, &*price.message, price.amount),
            (
                "PROMO_NOT_VALID_HERE",
                "This promo code works only at Juniper Lane Coffee.",
                usd(0)
            )
        );
        let claim = claim(&harness, new_order(), consumer, "MAPLE1", elsewhere).await;
        assert_eq!((&*claim.reason, claim.amount), ("PROMO_NOT_VALID_HERE", usd(0)));
    }
    assert_eq!(harness.count_claims().await, 0);
    assert_eq!(
        price(&harness, consumer, "MAPLE1", JUNIPER_LANE).await.amount,
        usd(100)
    );
    let claimed = claim(&harness, new_order(), consumer, "MAPLE1", JUNIPER_LANE).await;
    assert_eq!((&*claimed.reason, claimed.amount), ("", usd(100)));
    // A code of the product applies at the stores of all companies.
    assert_eq!(
        price(&harness, consumer, "FRESH10", HARBOR_AND_PINE).await.amount,
        usd(64)
    );
    harness.close().await;
}

#[tokio::test]
async fn an_import_sets_and_removes_the_company_of_codes_and_rewards() {
    let harness = Harness::start().await;
    import_catalog(&harness.cx, CATALOG).await.unwrap();
    let consumer = new_consumer();
    harness.complete_order(consumer).await;
    harness.complete_order(consumer).await;
    for (code, message) in [
        ("CORNER2", "This promo code works only at Harbor & Pine."),
        ("REWARD100", "This reward works only at Harbor & Pine."),
    ] {
        let elsewhere = price(&harness, consumer, code, JUNIPER_LANE).await;
        assert_eq!(
            (&*elsewhere.reason, &*elsewhere.message),
            ("PROMO_NOT_VALID_HERE", message)
        );
        assert_eq!(price(&harness, consumer, code, HARBOR_AND_PINE).await.reason, "");
    }
    let without_company = CATALOG.replace("company_", "# company_");
    import_catalog(&harness.cx, &without_company).await.unwrap();
    for code in ["CORNER2", "REWARD100"] {
        assert_eq!(price(&harness, consumer, code, JUNIPER_LANE).await.reason, "");
    }
    harness.close().await;
}

#[tokio::test]
async fn invalid_companies_and_limits_are_reported_with_their_lines() {
    let harness = Harness::start().await;
    for (text, expected) in [
        (
            CATALOG.replace("cmp_", "str_"),
            "line 3: expected the id of a company, such as cmp_01h455vb4pex5vsknk084sn02q",
        ),
        (
            CATALOG.replace("company_name", "# company_name"),
            "line 3: company_id needs company_name",
        ),
        (
            CATALOG.replace("company_id", "# company_id"),
            "line 4: company_name needs company_id",
        ),
        (
            CATALOG.replace("Harbor & Pine", " "),
            "line 4: use 1 to 80 characters",
        ),
        (
            CATALOG.replace("consumer = 2", "consumer = 0"),
            "line 9: expected a number from 1 to 1000000000",
        ),
        (
            CATALOG.replace("amount = 200", "amount = 200\nonce = true"),
            "line 10: a promo has either once or max_claims_per_consumer",
        ),
    ] {
        assert_eq!(errors(&harness, &text).await, [expected]);
    }
    harness.close().await;
}

/// Completes the registration of the consumers, who have the same phone number.
async fn register(harness: &Harness, consumers: &[ConsumerId]) {
    for consumer in consumers {
        harness.receive(consumer_registered(*consumer)).await.unwrap();
    }
}

#[tokio::test]
async fn a_consumer_and_a_phone_number_can_use_a_code_as_often_as_it_allows() {
    let harness = Harness::start().await;
    import_catalog(&harness.cx, CATALOG).await.unwrap();
    let [consumer, same_phone, other] = [new_consumer(), new_consumer(), new_consumer()];
    register(&harness, &[consumer, same_phone]).await;
    let orders = [new_order(), new_order()];
    for (order, claimant) in orders.into_iter().zip([consumer, same_phone]) {
        let claimed = claim(&harness, order, claimant, "CORNER2", HARBOR_AND_PINE).await;
        assert_eq!(claimed.reason, "");
    }
    for claimant in [consumer, same_phone] {
        let price = price(&harness, claimant, "CORNER2", HARBOR_AND_PINE).await;
        assert_eq!(
            (&*price.reason, &*price.message),
            (
                "PROMO_USED",
                "You've already used this promo code 2 times, which is the limit."
            )
        );
        let claimed = claim(&harness, new_order(), claimant, "CORNER2", HARBOR_AND_PINE).await;
        assert_eq!(claimed.reason, "PROMO_USED");
    }
    // A repeated request returns its claim, and others are not affected.
    let repeated = claim(&harness, orders[0], consumer, "CORNER2", HARBOR_AND_PINE).await;
    assert_eq!((&*repeated.reason, repeated.amount), ("", usd(200)));
    assert_eq!(
        claim(&harness, new_order(), other, "CORNER2", HARBOR_AND_PINE)
            .await
            .reason,
        ""
    );
    // A rejected order does not count.
    let end = crate::harness::order_end(proto::ordering::v1::EndReason::RejectedByStore);
    harness
        .receive(rejected(order_snapshot(orders[0], consumer), end))
        .await
        .unwrap();
    let again = claim(&harness, new_order(), consumer, "CORNER2", HARBOR_AND_PINE).await;
    assert_eq!(again.reason, "");
    // The number keeps its claims after the removal of a consumer.
    harness.receive(consumer_removed(consumer)).await.unwrap();
    assert_eq!(
        price(&harness, same_phone, "CORNER2", HARBOR_AND_PINE)
            .await
            .reason,
        "PROMO_USED"
    );
    harness.close().await;
}

#[tokio::test]
async fn an_offer_is_used_once_its_code_is_claimed_as_often_as_it_allows() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let is_used = async || {
        let list = harness.offers(consumer, "").await.unwrap();
        let mut offers = list.offers.into_iter();
        offers
            .find(|offer| offer.offer_id == "juniper-maple")
            .unwrap()
            .is_used
    };
    for number in 0..3 {
        assert!(!is_used().await, "after {number} claims");
        let claimed = claim(&harness, new_order(), consumer, "MAPLE1", JUNIPER_LANE).await;
        assert_eq!(claimed.reason, "");
    }
    assert!(is_used().await);
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_orders_do_not_exceed_the_claims_of_a_consumer_or_a_phone_number() {
    let harness = Arc::new(Harness::start().await);
    import_catalog(&harness.cx, CATALOG).await.unwrap();
    let consumers = [new_consumer(), new_consumer()];
    register(&harness, &consumers).await;
    let requests = (0..20).map(|number| {
        let harness = Arc::clone(&harness);
        let consumer = consumers[number % 2];
        tokio::spawn(async move {
            claim(&harness, new_order(), consumer, "CORNER2", HARBOR_AND_PINE)
                .await
                .reason
        })
    });
    let reasons: Vec<String> = join_all(requests).await.into_iter().map(Result::unwrap).collect();
    let count = |expected: &str| reasons.iter().filter(|reason| *reason == expected).count();
    assert_eq!((count(""), count("PROMO_USED")), (2, 18), "{reasons:?}");
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_equal_requests_use_a_limited_code_once() {
    let harness = Arc::new(Harness::start().await);
    import_catalog(&harness.cx, CATALOG).await.unwrap();
    let (consumer, order) = (new_consumer(), new_order());
    let requests = (0..10).map(|_| {
        let harness = Arc::clone(&harness);
        tokio::spawn(async move { claim(&harness, order, consumer, "CORNER2", HARBOR_AND_PINE).await })
    });
    let claims: Vec<_> = join_all(requests).await.into_iter().map(Result::unwrap).collect();
    assert!(
        claims
            .iter()
            .all(|claim| claim.reason.is_empty() && claim.amount == usd(200)),
        "{claims:?}"
    );
    assert_eq!(harness.count_claims().await, 1);
    Arc::into_inner(harness).unwrap().close().await;
}
