//! The gRPC service.

use callers::Caller;
use kit::{
    grpc::{GrpcResult, into_grpc},
    parse_id,
};
use proto::rewards::v1::{
    ClaimChallengeRequest, ClaimDiscountRequest, ClaimedChallenge, CloseClaimRequest, CloseClaimResponse,
    Discount, GetInactiveUsersPageRequest, GetInvitationRewardRequest, GetLandingPageRequest,
    GetOfferRequest, GetPointsRequest, InboxState, InvitationReward, LandingPage, ListInboxRequest,
    ListInboxResponse, ListOffersRequest, ListPointEntriesRequest, ListPointEntriesResponse,
    MarkInboxAsSeenRequest, Offer, OfferList, Points, PriceDiscountRequest, RemoveFromInboxRequest,
    rewards_server,
};
use tonic::{Request, Response};
use tracing::{Span, field};
use types::OrderId;

use crate::{
    Rewards,
    convert::{grpc as convert, offers},
    ops::{
        claim_challenge::claim_challenge, claim_discount::claim_discount, close_claim::close_claim,
        get_inactive_users_page::get_inactive_users_page, get_invitation_reward::get_invitation_reward,
        get_landing_page::get_landing_page, get_offer::get_offer, get_points::get_points,
        list_inbox::list_inbox, list_offers::list_offers, list_point_entries::list_point_entries,
        mark_inbox_as_seen::mark_inbox_as_seen, price_discount::price_discount,
        remove_from_inbox::remove_from_inbox,
    },
};

/// Services that may price and claim discounts.
const DISCOUNT_CALLERS: &[&str] = &["ordering"];
/// The gateway makes the calls that need no session.
const PUBLIC_CALLERS: &[&str] = &["gateway"];

#[derive(Debug, Clone)]
pub struct Grpc(pub Rewards);

#[tonic::async_trait]
impl rewards_server::Rewards for Grpc {
    async fn get_points(&self, request: Request<GetPointsRequest>) -> GrpcResult<Points> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let is_in_app = convert::is_in_app(request.into_inner().journey_step);
        into_grpc(
            get_points(&self.0, consumer_id, is_in_app)
                .await
                .map(convert::points),
        )
    }

    async fn list_point_entries(
        &self,
        request: Request<ListPointEntriesRequest>,
    ) -> GrpcResult<ListPointEntriesResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let page = convert::entries_page(request.into_inner().page);
        into_grpc(
            list_point_entries(&self.0, consumer_id, page)
                .await
                .map(convert::point_entries),
        )
    }

    async fn price_discount(&self, request: Request<PriceDiscountRequest>) -> GrpcResult<Discount> {
        Caller::of(&request)?.service(DISCOUNT_CALLERS)?;
        let request = request.into_inner();
        let consumer_id = parse_id(&request.consumer_id, "consumerId")?;
        let subtotal = convert::parse_amount(request.subtotal, "subtotal")?;
        let place = convert::order_place(
            &request.company_id,
            request.journey_step,
            &request.time_zone,
            request.drink_price,
        )?;
        into_grpc(
            price_discount(&self.0, consumer_id, &request.code, subtotal, &place)
                .await
                .map(convert::discount),
        )
    }

    async fn claim_discount(&self, request: Request<ClaimDiscountRequest>) -> GrpcResult<Discount> {
        Caller::of(&request)?.service(DISCOUNT_CALLERS)?;
        let command = convert::claim_discount_command(request.into_inner())?;
        Span::current().record("aggregate_id", field::display(command.order_id));
        into_grpc(claim_discount(&self.0, command).await.map(convert::discount))
    }

    async fn close_claim(&self, request: Request<CloseClaimRequest>) -> GrpcResult<CloseClaimResponse> {
        Caller::of(&request)?.service(DISCOUNT_CALLERS)?;
        let order_id: OrderId = parse_id(&request.get_ref().order_id, "orderId")?;
        Span::current().record("aggregate_id", field::display(order_id));
        into_grpc(
            close_claim(&self.0, order_id)
                .await
                .map(|released| CloseClaimResponse { released }),
        )
    }

    async fn list_offers(&self, request: Request<ListOffersRequest>) -> GrpcResult<OfferList> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let request = request.into_inner();
        let query = offers::day_query(&request.day, &request.time_zone)?;
        into_grpc(
            list_offers(&self.0, consumer_id, query)
                .await
                .map(offers::offer_list),
        )
    }

    async fn get_offer(&self, request: Request<GetOfferRequest>) -> GrpcResult<Offer> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let request = request.into_inner();
        let query = offers::day_query(&request.day, &request.time_zone)?;
        into_grpc(
            get_offer(&self.0, consumer_id, &request.offer_id, query)
                .await
                .map(|(offer, day)| offers::offer(offer, day)),
        )
    }

    async fn claim_challenge(&self, request: Request<ClaimChallengeRequest>) -> GrpcResult<ClaimedChallenge> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        into_grpc(
            claim_challenge(&self.0, consumer_id, &request.get_ref().challenge_id)
                .await
                .map(offers::claimed_challenge),
        )
    }

    async fn get_invitation_reward(
        &self,
        request: Request<GetInvitationRewardRequest>,
    ) -> GrpcResult<InvitationReward> {
        Caller::of(&request)?.service(PUBLIC_CALLERS)?;
        Ok(Response::new(offers::invitation_reward(get_invitation_reward(
            &self.0,
        ))))
    }

    async fn get_landing_page(&self, request: Request<GetLandingPageRequest>) -> GrpcResult<LandingPage> {
        Caller::of(&request)?.service(PUBLIC_CALLERS)?;
        into_grpc(
            get_landing_page(&self.0, &request.get_ref().url_slug)
                .await
                .map(offers::landing_page),
        )
    }

    async fn get_inactive_users_page(
        &self,
        request: Request<GetInactiveUsersPageRequest>,
    ) -> GrpcResult<LandingPage> {
        Caller::of(&request)?.service(PUBLIC_CALLERS)?;
        into_grpc(get_inactive_users_page(&self.0).await.map(offers::landing_page))
    }

    async fn list_inbox(&self, request: Request<ListInboxRequest>) -> GrpcResult<ListInboxResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let page = convert::messages_page(request.into_inner().page);
        into_grpc(list_inbox(&self.0, consumer_id, page).await.map(convert::inbox))
    }

    async fn mark_inbox_as_seen(&self, request: Request<MarkInboxAsSeenRequest>) -> GrpcResult<InboxState> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let message_ids = convert::parse_message_ids(&request.get_ref().message_ids)?;
        into_grpc(
            mark_inbox_as_seen(&self.0, consumer_id, &message_ids)
                .await
                .map(convert::inbox_state),
        )
    }

    async fn remove_from_inbox(&self, request: Request<RemoveFromInboxRequest>) -> GrpcResult<InboxState> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let message_ids = convert::parse_message_ids(&request.get_ref().message_ids)?;
        into_grpc(
            remove_from_inbox(&self.0, consumer_id, &message_ids)
                .await
                .map(convert::inbox_state),
        )
    }
}
