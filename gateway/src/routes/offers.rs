//! Offers and challenges.

use axum::extract::State;
use proto::rewards::v1 as rewards;

use crate::error::ApiError;
use crate::extract::{Body, Consumer, Query};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::offers::{
    ClaimChallengeRequest, ClaimedChallenge, Offer, OfferList, OfferQuery, OffersQuery,
};

/// Lists the offers of a day and the challenges, with what the consumer has used and reached.
#[utoipa::path(get, path = "/api/consumer/user/offers", tag = "rewards", params(OffersQuery),
    responses((status = 200, body = ApiResponse<OfferList>)))]
pub(crate) async fn list_offers(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<OffersQuery>,
) -> Result<ApiResponse<OfferList>, ApiError> {
    let request = rewards::ListOffersRequest {
        day: overridden_day(&gateway, query.override_day),
        time_zone: query.time_zone.unwrap_or_default(),
    };
    let mut client = gateway.clients.rewards(&consumer.context);
    let list = client.list_offers(request).await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}

/// Returns an offer.
#[utoipa::path(get, path = "/api/consumer/user/offer", tag = "rewards", params(OfferQuery),
    responses((status = 200, body = ApiResponse<Offer>)))]
pub(crate) async fn get_offer(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<OfferQuery>,
) -> Result<ApiResponse<Offer>, ApiError> {
    let request = rewards::GetOfferRequest {
        offer_id: query.offer_id,
        day: overridden_day(&gateway, query.override_day),
        time_zone: query.time_zone.unwrap_or_default(),
    };
    let mut client = gateway.clients.rewards(&consumer.context);
    let offer = client.get_offer(request).await?;
    Ok(ApiResponse::new(offer.into_inner().into()))
}

/// Claims the points of a completed challenge, once.
#[utoipa::path(post, path = "/api/consumer/user/challenges/claim", tag = "rewards",
    request_body = ClaimChallengeRequest, responses((status = 200, body = ApiResponse<ClaimedChallenge>)))]
pub(crate) async fn claim_challenge(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<ClaimChallengeRequest>,
) -> Result<ApiResponse<ClaimedChallenge>, ApiError> {
    let request = rewards::ClaimChallengeRequest {
        challenge_id: request.challenge_id,
    };
    let mut client = gateway.clients.rewards(&consumer.context);
    let claimed = client.claim_challenge(request).await?;
    Ok(ApiResponse::new(claimed.into_inner().try_into()?))
}

/// Returns the requested day, or an empty text in production, where the day cannot be overridden.
fn overridden_day(gateway: &Gateway, day: Option<String>) -> String {
    day.filter(|_| !gateway.http.is_https()).unwrap_or_default()
}
