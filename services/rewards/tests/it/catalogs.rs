//! Imports of promo codes, tiers, offers, challenges, landing pages and messages.

use kit::consumer::Handler as _;
use proto::{
    ordering::v1::EndReason,
    rewards::v1::{GetPointsRequest, rewards_server::Rewards as _},
};
use rewards::{
    consumers::Consumers,
    ops::import_catalog::{ImportError, import_catalog},
};
use testing::into_result;
use types::OrderId;

use crate::harness::{
    Harness, new_consumer, new_order, order_end, order_snapshot, rejected, request_from_consumer, usd,
};

const CATALOG: &str = r#"
catalog = "corner-cafe"

[[promo]]
code = "CORNER2"
amount = 200
starts = "2026-01-01T00:00:00Z"

[[tier]]
points = 700
title = "A pastry"
amount = 400

[[offer]]
id = "corner"
title = "$2 off"
body = "Say hello with code CORNER2."
promo = "CORNER2"

[[challenge]]
id = "corner-two"
title = "Two visits"
body = "Pick up two orders."
goal = "orders"
target = 2
points = 50
starts = "2026-01-01T00:00:00Z"
ends = "2027-01-01T00:00:00Z"

[[landing_page]]
slug = "corner"
title = "Corner Cafe"
subtitle = "Around the corner."
picture = "cup"
paragraphs = ["Hello."]
action_label = "Find us"
action_path = "/explore"
promo = "CORNER2"
"#;

pub async fn errors(harness: &Harness, text: &str) -> Vec<String> {
    match import_catalog(&harness.cx, text).await {
        Err(ImportError::Invalid(errors)) => errors.iter().map(ToString::to_string).collect(),
        other => panic!("expected errors, got {other:?}"),
    }
}

async fn offer_ids(harness: &Harness) -> Vec<String> {
    let list = harness.offers(new_consumer(), "2026-09-22").await.unwrap();
    list.offers.into_iter().map(|offer| offer.offer_id).collect()
}

async fn tier_points(harness: &Harness) -> Vec<i64> {
    let request = request_from_consumer(new_consumer(), GetPointsRequest::default());
    let points = into_result(harness.grpc().get_points(request).await).unwrap();
    points.tiers.into_iter().map(|tier| tier.points).collect()
}

#[tokio::test]
async fn a_catalog_is_imported_and_replaced() {
    let harness = Harness::start().await;
    for _ in 0..2 {
        assert_eq!(import_catalog(&harness.cx, CATALOG).await.unwrap(), 5);
    }
    assert_eq!(
        offer_ids(&harness).await,
        ["corner", "first-app-order", "juniper-maple"]
    );
    assert_eq!(tier_points(&harness).await, [250, 600, 700, 1000]);
    assert_eq!(
        harness.price(new_consumer(), "CORNER2", 640).await.amount,
        usd(200)
    );
    // Changes a value, and removes all entries but the promo.
    let (promo, _) = CATALOG.split_once("[[tier]]").unwrap();
    import_catalog(&harness.cx, &promo.replace("200", "150"))
        .await
        .unwrap();
    assert_eq!(offer_ids(&harness).await, ["first-app-order", "juniper-maple"]);
    assert_eq!(tier_points(&harness).await, [250, 600, 1000]);
    assert_eq!(
        harness.price(new_consumer(), "CORNER2", 640).await.amount,
        usd(150)
    );
    let list = harness.offers(new_consumer(), "").await.unwrap();
    assert!(
        !list
            .challenges
            .iter()
            .any(|challenge| challenge.challenge_id == "corner-two")
    );
    harness.close().await;
}

#[tokio::test]
async fn invalid_values_are_reported_with_their_lines() {
    let harness = Harness::start().await;
    let text = CATALOG
        .replace("amount = 200", "percent = 101")
        .replace("\"CORNER2\"\n\n[[challenge]]", "\"NOSUCH\"\n\n[[challenge]]")
        .replace("goal = \"orders\"", "goal = \"naps\"")
        .replace("ends = \"2027", "ends = \"2025")
        .replace("picture = \"cup\"", "picture = \"cat\"")
        .replace("\"/explore\"", "\"//evil.example\"");
    assert_eq!(
        errors(&harness, &text).await,
        [
            "line 6: percent must be 1 to 100",
            "line 18: the file has no promo NOSUCH",
            "line 24: unknown goal \"naps\"; expected orders, stores or spend",
            "line 28: ends must be after starts",
            "line 34: unknown picture; expected cup, beans, storefront, gift, friends",
            "line 37: action_path must be a path of the app, such as /explore",
        ]
    );
    for (text, expected) in [
        (
            CATALOG.replace("points = 50", "points = 0"),
            "line 26: expected a number",
        ),
        (CATALOG.replace("points = 50", "points = \"many\""), "line 26: "),
        (
            CATALOG.replace("amount = 200", "amount = 200\nfirst_app_order = true"),
            "line 7: first_app_order needs app_only = true",
        ),
        (
            CATALOG.replace("target = 2", "targets = 2"),
            "line 25: unknown field",
        ),
        (
            CATALOG.replace("code = \"CORNER2\"", "code = \"no\""),
            "line 5: a code has 3 to 24",
        ),
        (
            CATALOG.replace("code = \"CORNER2\"", "code = \"REWARD250\""),
            "line 5: REWARD with a number",
        ),
        (
            CATALOG.replace("title = \"A pastry\"", "title = \"\\u0000\""),
            "line 11: control characters",
        ),
        (
            CATALOG.replace("title = \"A pastry\"", "title = \"A \\u202epastry\""),
            "line 11: control characters",
        ),
        (CATALOG.replace("[[tier]]", "[[tier]"), "line 9: "),
        (
            format!("{CATALOG}\n[[offer]]\nid = \"corner\"\ntitle = \"a\"\nbody = \"b\"\n"),
            "line 41: corner is in the file twice",
        ),
    ] {
        let errors = errors(&harness, &text).await;
        assert!(errors[0].starts_with(expected), "{errors:?}");
    }
    assert!(!offer_ids(&harness).await.contains(&"corner".to_owned()));
    harness.close().await;
}

#[tokio::test]
async fn entries_of_another_catalog_are_not_replaced() {
    let harness = Harness::start().await;
    let text = CATALOG
        .replace("CORNER2", "FRESH10")
        .replace("points = 700", "points = 250")
        .replace("slug = \"corner\"", "slug = \"welcome\"");
    assert_eq!(
        errors(&harness, &text).await,
        [
            "line 5: FRESH10 belongs to another catalog",
            "line 10: 250 belongs to another catalog",
            "line 31: welcome belongs to another catalog",
        ]
    );
    assert_eq!(
        harness.price(new_consumer(), "FRESH10", 640).await.amount,
        usd(64)
    );
    harness.close().await;
}

fn limited(max_claims: i64) -> String {
    CATALOG.replace(
        "amount = 200",
        &format!("amount = 200\nmax_claims = {max_claims}"),
    )
}

/// Returns the reason for which CORNER2 does not apply to a new order, or an empty text.
async fn claim(harness: &Harness, order: OrderId) -> String {
    let claim = harness.claim(order, new_consumer(), "CORNER2", 640).await;
    claim.unwrap().reason
}

#[tokio::test]
async fn a_limit_counts_the_claims_before_it() {
    let harness = Harness::start().await;
    import_catalog(&harness.cx, CATALOG).await.unwrap();
    let order = new_order();
    for order in [order, new_order()] {
        assert_eq!(claim(&harness, order).await, "");
    }
    assert_eq!(
        errors(&harness, &limited(1)).await,
        ["line 5: CORNER2 has more claims than max_claims allows"]
    );
    import_catalog(&harness.cx, &limited(2)).await.unwrap();
    assert_eq!(claim(&harness, new_order()).await, "PROMO_EXPIRED");
    harness.close_claim(order).await;
    assert_eq!(claim(&harness, new_order()).await, "");
    assert_eq!(claim(&harness, new_order()).await, "PROMO_EXPIRED");
    harness.close().await;
}

#[tokio::test]
async fn claims_that_were_released_without_a_limit_do_not_count() {
    let harness = Harness::start().await;
    import_catalog(&harness.cx, &limited(1)).await.unwrap();
    let order = new_order();
    assert_eq!(claim(&harness, order).await, "");
    import_catalog(&harness.cx, CATALOG).await.unwrap();
    harness.close_claim(order).await;
    import_catalog(&harness.cx, &limited(1)).await.unwrap();
    assert_eq!(claim(&harness, new_order()).await, "");
    assert_eq!(claim(&harness, new_order()).await, "PROMO_EXPIRED");
    harness.close().await;
}

#[tokio::test]
async fn a_limit_counts_a_claim_in_progress() {
    let harness = Harness::start().await;
    import_catalog(&harness.cx, CATALOG).await.unwrap();
    let mut other = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    sqlx::query(
        "INSERT INTO claims (order_id, state, code, consumer_id, subtotal, amount, created_at, changed_at)
         VALUES (gen_random_uuid(), 'claimed', 'CORNER2', gen_random_uuid(), 640, 200, now(), now())",
    )
    .execute(&mut *other)
    .await
    .unwrap();
    let commit = async {
        harness.wait_for_blocked(1).await;
        other.commit().await.unwrap();
    };
    let text = limited(1);
    let (imported, ()) = tokio::join!(import_catalog(&harness.cx, &text), commit);
    imported.unwrap();
    assert_eq!(claim(&harness, new_order()).await, "PROMO_EXPIRED");
    harness.close().await;
}

#[tokio::test]
async fn a_limit_does_not_count_a_claim_that_is_being_released() {
    let harness = Harness::start().await;
    import_catalog(&harness.cx, CATALOG).await.unwrap();
    let (order, consumer) = (new_order(), new_consumer());
    harness.claim(order, consumer, "CORNER2", 640).await.unwrap();
    let event = rejected(
        order_snapshot(order, consumer),
        order_end(EndReason::RejectedByStore),
    );
    let mut release = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    Consumers(harness.cx.clone())
        .handle(&testing::delivery(&event), &mut release)
        .await
        .unwrap();
    let commit = async {
        harness.wait_for_blocked(1).await;
        release.commit().await.unwrap();
    };
    let text = limited(1);
    let (imported, ()) = tokio::join!(import_catalog(&harness.cx, &text), commit);
    imported.unwrap();
    assert_eq!(claim(&harness, new_order()).await, "");
    assert_eq!(claim(&harness, new_order()).await, "PROMO_EXPIRED");
    harness.close().await;
}

#[tokio::test]
async fn a_claim_that_waits_while_the_limit_is_removed_succeeds() {
    let harness = Harness::start().await;
    import_catalog(&harness.cx, &limited(1)).await.unwrap();
    let mut import = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    sqlx::query("UPDATE promos SET max_claims = NULL WHERE code = 'CORNER2'")
        .execute(&mut *import)
        .await
        .unwrap();
    let commit = async {
        harness.wait_for_blocked(1).await;
        import.commit().await.unwrap();
    };
    let (reason, ()) = tokio::join!(claim(&harness, new_order()), commit);
    assert_eq!(reason, "");
    harness.close().await;
}

#[tokio::test]
async fn a_claim_waits_for_a_limit_that_is_being_imported() {
    let harness = Harness::start().await;
    import_catalog(&harness.cx, CATALOG).await.unwrap();
    assert_eq!(claim(&harness, new_order()).await, "");
    let mut import = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    for statement in [
        "SELECT code FROM promos WHERE code = 'CORNER2' FOR UPDATE",
        "UPDATE promos SET max_claims = 1, claim_count = 1 WHERE code = 'CORNER2'",
    ] {
        sqlx::query(statement).execute(&mut *import).await.unwrap();
    }
    let commit = async {
        harness.wait_for_blocked(1).await;
        import.commit().await.unwrap();
    };
    let (reason, ()) = tokio::join!(claim(&harness, new_order()), commit);
    assert_eq!(reason, "PROMO_EXPIRED");
    harness.close().await;
}

#[tokio::test]
async fn a_limit_below_the_number_of_claims_is_rejected() {
    let harness = Harness::start().await;
    import_catalog(&harness.cx, &limited(5)).await.unwrap();
    for _ in 0..2 {
        let claim = harness.claim(new_order(), new_consumer(), "CORNER2", 640).await;
        assert_eq!(claim.unwrap().reason, "");
    }
    assert_eq!(
        errors(&harness, &limited(1)).await,
        ["line 5: CORNER2 has more claims than max_claims allows"]
    );
    harness.close().await;
}

#[tokio::test]
async fn a_claimed_challenge_keeps_its_goal_target_and_dates() {
    let harness = Harness::start().await;
    import_catalog(&harness.cx, CATALOG).await.unwrap();
    let consumer = new_consumer();
    for _ in 0..2 {
        harness.complete_order(consumer).await;
    }
    harness.claim_challenge(consumer, "corner-two").await.unwrap();
    for (from, to) in [
        ("target = 2", "target = 3"),
        // The orders that completed it would be outside of its dates.
        (
            "points = 50\nstarts = \"2026-01",
            "points = 50\nstarts = \"2026-12",
        ),
        ("ends = \"2027-01", "ends = \"2026-12"),
    ] {
        let errors = errors(&harness, &CATALOG.replace(from, to)).await;
        assert!(errors[0].starts_with("line 21: corner-two belongs"), "{errors:?}");
    }
    import_catalog(
        &harness.cx,
        &CATALOG.replace("ends = \"2027-01", "ends = \"2028-01"),
    )
    .await
    .unwrap();
    // Without the challenge, it ends. Its claim stays.
    let (before, rest) = CATALOG.split_once("[[challenge]]").unwrap();
    let (_, after) = rest.split_once("[[landing_page]]").unwrap();
    import_catalog(&harness.cx, &format!("{before}[[landing_page]]{after}"))
        .await
        .unwrap();
    let list = harness.offers(consumer, "").await.unwrap();
    assert!(
        !list
            .challenges
            .iter()
            .any(|challenge| challenge.challenge_id == "corner-two")
    );
    assert_eq!(harness.points(consumer).await, 2 * 60 + 50);
    harness.close().await;
}
