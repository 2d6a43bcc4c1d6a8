//! Offers by day, codes for the app and for weekdays, and landing pages.

use kit::{ErrorCode, ServiceError};
use proto::{
    rewards::v1::{
        ClaimDiscountRequest, GetInactiveUsersPageRequest, GetLandingPageRequest, GetOfferRequest,
        ListOffersRequest, PriceDiscountRequest, rewards_server::Rewards as _,
    },
    values::v1::JourneyStep,
};
use testing::{into_result, request_from_service};

use crate::harness::{
    Harness, claim_request, consumer_registered, new_consumer, new_order, request_from_consumer, usd,
};

const MONDAY: &str = "2026-09-21";
const TUESDAY: &str = "2026-09-22";
const WEDNESDAY: &str = "2026-09-23";
const FRIDAY: &str = "2026-09-25";

async fn offer_ids(harness: &Harness, day: &str) -> (bool, Vec<String>) {
    let list = harness.offers(new_consumer(), day).await.unwrap();
    let ids = list.offers.into_iter().map(|offer| offer.offer_id).collect();
    (list.is_bonus_day, ids)
}

fn price_request(code: &str, journey_step: JourneyStep, time_zone: &str) -> PriceDiscountRequest {
    PriceDiscountRequest {
        consumer_id: new_consumer().to_string(),
        code: code.to_owned(),
        subtotal: usd(1_000),
        store_id: String::new(),
        journey_step: journey_step.into(),
        time_zone: time_zone.to_owned(),
        drink_price: None,
        company_id: String::new(),
    }
}

#[tokio::test]
async fn mondays_wednesdays_and_fridays_have_an_offer_of_their_own() {
    let harness = Harness::start().await;
    let always = ["first-app-order", "juniper-maple"];
    for (day, bonus) in [
        (MONDAY, Some("monday")),
        (TUESDAY, None),
        (WEDNESDAY, Some("wednesday")),
        (FRIDAY, Some("friday")),
    ] {
        let expected: Vec<String> = bonus.into_iter().chain(always).map(str::to_owned).collect();
        assert_eq!(
            offer_ids(&harness, day).await,
            (bonus.is_some(), expected),
            "{day}"
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn the_day_is_that_of_the_time_zone() {
    let harness = Harness::start().await;
    // Monday 07:13 in Los Angeles.
    let consumer = new_consumer();
    assert_eq!(harness.offers(consumer, "").await.unwrap().day, MONDAY);
    // Monday 23:13 in Tokyo; two hours later it is Tuesday there.
    harness.advance_clock(2 * 3_600);
    let request = ListOffersRequest {
        day: String::new(),
        time_zone: "Asia/Tokyo".to_owned(),
    };
    let list = harness
        .grpc()
        .list_offers(request_from_consumer(consumer, request))
        .await;
    assert_eq!(into_result(list).unwrap().day, TUESDAY);
    assert_eq!(harness.offers(consumer, "").await.unwrap().day, MONDAY);
    harness.close().await;
}

#[tokio::test]
async fn a_malformed_day_or_time_zone_is_an_error() {
    let harness = Harness::start().await;
    for day in ["monday", "2026-02-30", "9999-12-31T00", "'"] {
        let error = harness.offers(new_consumer(), day).await.unwrap_err();
        assert_eq!(
            (error.code, &*error.reason),
            (ErrorCode::InvalidRequest, "DAY_MALFORMED")
        );
    }
    let request = ListOffersRequest {
        day: String::new(),
        time_zone: "Mars/Olympus".to_owned(),
    };
    let list = harness
        .grpc()
        .list_offers(request_from_consumer(new_consumer(), request))
        .await;
    assert_eq!(into_result(list).unwrap_err().reason, "TIME_ZONE_UNKNOWN");
    harness.close().await;
}

#[tokio::test]
async fn an_offer_is_returned_by_its_id() {
    let harness = Harness::start().await;
    let get_offer = async |offer_id: &str, day: &str| {
        let request = GetOfferRequest {
            offer_id: offer_id.to_owned(),
            day: day.to_owned(),
            time_zone: String::new(),
        };
        into_result(
            harness
                .grpc()
                .get_offer(request_from_consumer(new_consumer(), request))
                .await,
        )
    };
    let monday = get_offer("monday", MONDAY).await.unwrap();
    assert_eq!(
        (monday.is_active, monday.promo_code.as_str(), monday.weekdays),
        (true, "MONDAY15", vec![1])
    );
    assert!(!get_offer("monday", TUESDAY).await.unwrap().is_active);
    for unknown in ["nosuch", "", "'; --"] {
        let error = get_offer(unknown, MONDAY).await.unwrap_err();
        assert_eq!(
            (error.code, &*error.reason),
            (ErrorCode::NotFound, "OFFER_UNKNOWN")
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn a_used_offer_is_marked_for_the_consumer_and_the_phone_number() {
    let harness = Harness::start().await;
    let (consumer, same_phone) = (new_consumer(), new_consumer());
    for registered in [consumer, same_phone] {
        harness.receive(consumer_registered(registered)).await.unwrap();
    }
    harness
        .claim(new_order(), consumer, "WELCOME3", 640)
        .await
        .unwrap();
    for (consumer, is_used) in [(consumer, true), (same_phone, true), (new_consumer(), false)] {
        let list = harness.offers(consumer, TUESDAY).await.unwrap();
        let offer = list
            .offers
            .iter()
            .find(|offer| offer.offer_id == "first-app-order")
            .unwrap();
        assert_eq!((offer.is_used, offer.is_app_only), (is_used, true));
    }
    harness.close().await;
}

#[tokio::test]
async fn the_first_order_offer_applies_only_in_the_app() {
    let harness = Harness::start().await;
    for step in [JourneyStep::Web, JourneyStep::Unspecified] {
        let price = harness
            .price_discount(price_request("WELCOME3", step, ""))
            .await
            .unwrap();
        assert_eq!((price.reason.as_str(), price.amount), ("PROMO_APP_ONLY", usd(0)));
        let claim = ClaimDiscountRequest {
            journey_step: step.into(),
            ..claim_request(new_order(), new_consumer(), "WELCOME3", 640)
        };
        let claim = harness.claim_discount(claim).await.unwrap();
        assert_eq!(claim.reason, "PROMO_APP_ONLY");
    }
    assert_eq!(harness.count_claims().await, 0);
    let price = harness
        .price_discount(price_request("WELCOME3", JourneyStep::App, ""))
        .await
        .unwrap();
    assert_eq!((price.reason.as_str(), price.amount), ("", usd(300)));
    harness.close().await;
}

#[tokio::test]
async fn a_code_for_a_weekday_applies_on_that_day_in_the_stores_time_zone() {
    let harness = Harness::start().await;
    let price = async |time_zone: &str| {
        harness
            .price_discount(price_request("MONDAY15", JourneyStep::Web, time_zone))
            .await
    };
    let monday = price("America/Los_Angeles").await.unwrap();
    assert_eq!((monday.reason.as_str(), monday.amount), ("", usd(150)));
    harness.advance_clock(2 * 3_600);
    let tuesday = price("Asia/Tokyo").await.unwrap();
    assert_eq!(
        (tuesday.reason.as_str(), tuesday.message.as_str()),
        ("PROMO_WRONG_DAY", "This promo code works only on Mondays.")
    );
    assert_eq!(
        price("Mars/Olympus").await.unwrap_err().reason,
        "TIME_ZONE_UNKNOWN"
    );
    harness.close().await;
}

#[tokio::test]
async fn landing_pages_are_returned_by_slug() {
    let harness = Harness::start().await;
    let get_page = async |slug: &str| {
        let request = GetLandingPageRequest {
            url_slug: slug.to_owned(),
        };
        into_result(
            harness
                .grpc()
                .get_landing_page(request_from_service("gateway", request))
                .await,
        )
    };
    let page = get_page("Welcome").await.unwrap();
    assert_eq!((page.url_slug.as_str(), page.copy.len()), ("welcome", 2));
    assert_eq!(page.hero.unwrap().title, "Skip the line");
    assert_eq!(page.call_to_action.unwrap().path, "/explore");
    let promo = page.promo.unwrap();
    assert_eq!(
        (
            promo.code.as_str(),
            promo.r#type.as_str(),
            promo.value,
            promo.is_app_only
        ),
        ("WELCOME3", "fixed", 300, true)
    );
    for unknown in ["nosuch", "", "a\0b", "../welcome"] {
        let error = get_page(unknown).await.unwrap_err();
        assert_eq!(
            (error.code, &*error.reason),
            (ErrorCode::NotFound, "LANDING_PAGE_UNKNOWN")
        );
    }
    let page = harness
        .grpc()
        .get_inactive_users_page(request_from_service("gateway", GetInactiveUsersPageRequest {}))
        .await;
    let page = into_result(page).unwrap();
    assert_eq!((page.url_slug.as_str(), page.promo), ("inactive-users", None));
    let status = harness
        .grpc()
        .get_inactive_users_page(request_from_service("payments", GetInactiveUsersPageRequest {}))
        .await
        .unwrap_err();
    assert_eq!(ServiceError::from_status(&status).code, ErrorCode::Forbidden);
    harness.close().await;
}
