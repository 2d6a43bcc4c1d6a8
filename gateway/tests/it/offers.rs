//! Offers, challenges, share codes and landing pages.

use kit::{ErrorCode, ServiceError};
use proto::accounts::v1::{GetShareCodeRequest, ShareCode, VerifyRequest, VerifyResponse};
use proto::rewards::v1::{
    CallToAction, Challenge, ChallengeGoal, ChallengeState, ClaimChallengeRequest, ClaimedChallenge,
    GetInactiveUsersPageRequest, GetInvitationRewardRequest, GetLandingPageRequest, GetOfferRequest,
    InvitationReward, LandingPage, LandingPageHero, LandingPagePromo, ListOffersRequest, Offer, OfferList,
};
use serde_json::json;

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

const DEVELOPMENT: (&str, &str) = ("PUBLIC_ORIGIN", "http://127.0.0.1:7080");

fn offer() -> Offer {
    Offer {
        offer_id: "monday".into(),
        title: "15% off on Mondays".into(),
        body: "Use code MONDAY15.".into(),
        weekdays: vec![1],
        is_active: true,
        promo_code: "MONDAY15".into(),
        ..Offer::default()
    }
}

fn challenge() -> Challenge {
    Challenge {
        challenge_id: "five-orders".into(),
        title: "Five orders".into(),
        goal: ChallengeGoal::Orders.into(),
        target: 5,
        progress: 2,
        points: 200,
        state: ChallengeState::Open.into(),
        starts_at: "2026-01-01T00:00:00Z".into(),
        ends_at: "2027-01-01T00:00:00Z".into(),
        ..Challenge::default()
    }
}

fn landing_page(slug: &str) -> LandingPage {
    LandingPage {
        url_slug: slug.to_owned(),
        hero: Some(LandingPageHero {
            title: "Skip the line".into(),
            subtitle: "Order ahead.".into(),
            picture: "cup".into(),
        }),
        copy: vec!["Choose a store.".into()],
        call_to_action: Some(CallToAction {
            label: "Find a store".into(),
            path: "/explore".into(),
        }),
        promo: Some(LandingPagePromo {
            code: "WELCOME3".into(),
            r#type: "fixed".into(),
            value: 300,
            is_app_only: true,
        }),
    }
}

fn reply_with_share_code(services: &FakeServices) {
    services.on("GetShareCode", |request: GetShareCodeRequest| {
        if request.share_code != "ABCD2345" {
            return Err(ServiceError::new(ErrorCode::NotFound, "SHARE_CODE_UNKNOWN", "Unknown.").into());
        }
        Ok(ShareCode {
            share_code: request.share_code,
            first_name: "Ada".into(),
        })
    });
    services.on("GetInvitationReward", |_: GetInvitationRewardRequest| {
        Ok(InvitationReward {
            referrer_points: 250,
            friend_points: 100,
        })
    });
}

#[tokio::test]
async fn offers_and_challenges_are_returned() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("ListOffers", |_: ListOffersRequest| {
        Ok(OfferList {
            day: "2026-09-21".into(),
            is_bonus_day: true,
            offers: vec![offer()],
            challenges: vec![challenge()],
        })
    });
    let gateway = Gateway::start(&services).await;
    let token = new_token();
    let request = gateway
        .get("/api/consumer/user/offers?overrideDay=2026-09-21&timeZone=America/New_York")
        .with_session(&token);
    let (status, body) = status_and_body(request.send().await.unwrap()).await;
    assert_eq!(status, 200);
    assert_eq!(body["data"]["day"], "2026-09-21");
    assert_eq!(body["data"]["isBonusDay"], true);
    let offer = &body["data"]["offers"][0];
    assert_eq!(
        (
            &offer["offerId"],
            &offer["weekdays"],
            &offer["promoCode"],
            &offer["endsAt"]
        ),
        (&json!("monday"), &json!([1]), &json!("MONDAY15"), &json!(null))
    );
    let challenge = &body["data"]["challenges"][0];
    assert_eq!(
        (&challenge["goal"], &challenge["progress"], &challenge["state"]),
        (&json!("orders"), &json!(2), &json!("open"))
    );
    let sent: ListOffersRequest = services.calls("ListOffers")[0].decode();
    assert_eq!(
        (sent.day.as_str(), sent.time_zone.as_str()),
        ("", "America/New_York"),
        "production ignores overrideDay"
    );
}

#[tokio::test]
async fn the_day_of_offers_can_be_overridden_outside_production() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("ListOffers", |_: ListOffersRequest| Ok(OfferList::default()));
    services.on("GetOffer", |_: GetOfferRequest| Ok(offer()));
    let gateway = Gateway::start_with(&services, &[DEVELOPMENT]).await;
    let token = new_token();
    for path in [
        "/api/consumer/user/offers?overrideDay=2026-09-25",
        "/api/consumer/user/offer?offerId=monday&overrideDay=2026-09-25",
    ] {
        let request = gateway.get(path).with_session(&token);
        assert_eq!(
            status_and_body(request.send().await.unwrap()).await.0,
            200,
            "{path}"
        );
    }
    let sent: ListOffersRequest = services.calls("ListOffers")[0].decode();
    assert_eq!(sent.day, "2026-09-25");
    let sent: GetOfferRequest = services.calls("GetOffer")[0].decode();
    assert_eq!(
        (sent.offer_id.as_str(), sent.day.as_str()),
        ("monday", "2026-09-25")
    );
}

#[tokio::test]
async fn a_challenge_is_claimed() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("ClaimChallenge", |request: ClaimChallengeRequest| {
        if request.challenge_id != "five-orders" {
            return Err(ServiceError::new(ErrorCode::Conflict, "CHALLENGE_CLAIMED", "Claimed.").into());
        }
        let claimed = Challenge {
            state: ChallengeState::Claimed.into(),
            claimed_at: "2026-11-20T16:00:00Z".into(),
            ..challenge()
        };
        Ok(ClaimedChallenge {
            challenge: Some(claimed),
            balance: 500,
        })
    });
    let gateway = Gateway::start(&services).await;
    let token = new_token();
    let claim = async |id: &str| {
        let body = json!({"challengeId": id});
        let request = gateway
            .post("/api/consumer/user/challenges/claim", &body)
            .with_session(&token);
        status_and_body(request.send().await.unwrap()).await
    };
    let (status, body) = claim("five-orders").await;
    assert_eq!((status, &body["data"]["balance"]), (200, &json!(500)));
    assert_eq!(body["data"]["challenge"]["state"], "claimed");
    assert_eq!(body["data"]["challenge"]["claimedAt"], "2026-11-20T16:00:00Z");
    let (status, body) = claim("other").await;
    assert_eq!((status, &body["reason"]), (409, &json!("CHALLENGE_CLAIMED")));
}

#[tokio::test]
async fn landing_pages_are_public_and_cacheable() {
    let services = FakeServices::start().await;
    services.on("GetLandingPage", |request: GetLandingPageRequest| {
        if request.url_slug != "welcome" {
            return Err(ServiceError::new(ErrorCode::NotFound, "LANDING_PAGE_UNKNOWN", "Unknown.").into());
        }
        Ok(landing_page("welcome"))
    });
    let gateway = Gateway::start(&services).await;
    let path = "/api/consumer/landing-page/?urlSlug=welcome";
    let response = gateway.get(path).send().await.unwrap();
    let tag = response.headers()["etag"].clone();
    assert_eq!(response.headers()["cache-control"], "public, no-cache");
    let (status, body) = status_and_body(response).await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"],
        json!({
            "urlSlug": "welcome",
            "hero": {"title": "Skip the line", "subtitle": "Order ahead.", "picture": "cup"},
            "copy": ["Choose a store."],
            "callToAction": {"label": "Find a store", "path": "/explore"},
            "promo": {"code": "WELCOME3", "type": "fixed", "value": 300, "isAppOnly": true}
        })
    );
    let response = gateway
        .get(path)
        .header("if-none-match", tag)
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 304);
    let unknown = gateway.get("/api/consumer/landing-page/?urlSlug=nosuch").send();
    let (status, body) = status_and_body(unknown.await.unwrap()).await;
    assert_eq!((status, &body["reason"]), (404, &json!("LANDING_PAGE_UNKNOWN")));
    let missing = gateway.get("/api/consumer/landing-page/").send();
    assert_eq!(status_and_body(missing.await.unwrap()).await.0, 400);
}

#[tokio::test]
async fn share_codes_show_who_invites_and_the_reward() {
    let services = FakeServices::start().await;
    reply_with_share_code(&services);
    services.on("GetInactiveUsersPage", |_: GetInactiveUsersPageRequest| {
        Ok(landing_page("inactive-users"))
    });
    let gateway = Gateway::start(&services).await;
    let invitation = json!({
        "shareCode": "ABCD2345", "firstName": "Ada", "referrerPoints": 250, "friendPoints": 100
    });
    let get = async |path: &str| {
        let path = format!("/api/consumer/{path}");
        status_and_body(gateway.get(&path).send().await.unwrap()).await
    };
    let (status, body) = get("share-code?shareCode=ABCD2345").await;
    assert_eq!((status, &body["data"]), (200, &invitation));
    let (status, body) = get("landing-page/inactive-users/?shareCode=ABCD2345").await;
    assert_eq!((status, &body["data"]["invitation"]), (200, &invitation));
    assert_eq!(body["data"]["page"]["urlSlug"], "inactive-users");
    for path in [
        "share-code?shareCode=NOSUCH",
        "landing-page/inactive-users/?shareCode=NOSUCH",
    ] {
        let (status, body) = get(path).await;
        assert_eq!(
            (status, &body["reason"]),
            (404, &json!("SHARE_CODE_UNKNOWN")),
            "{path}"
        );
    }
}

#[tokio::test]
async fn the_share_code_of_an_invitation_is_sent_with_the_sign_in() {
    let services = FakeServices::start().await;
    services.on("Verify", |_: VerifyRequest| Ok(VerifyResponse::default()));
    let gateway = Gateway::start(&services).await;
    let path = "/api/consumer/authentication/verify";
    for body in [
        json!({"phone": "+12135550100", "code": "123456", "shareCode": "ABCD2345"}),
        json!({"phone": "+12135550100", "code": "123456"}),
    ] {
        assert_eq!(gateway.post(path, &body).send().await.unwrap().status(), 200);
    }
    let codes: Vec<String> = services
        .calls("Verify")
        .iter()
        .map(|call| call.decode::<VerifyRequest>().share_code)
        .collect();
    assert_eq!(codes, ["ABCD2345", ""]);
}
