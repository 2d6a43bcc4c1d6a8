//! The calls: decode, one operation, encode.

use callers::Caller;
use kit::ServiceError;
use proto::rewards::v1::{
    ClaimDiscountRequest, CloseClaimRequest, CloseClaimResponse, Discount, GetPointsRequest, InboxState,
    ListInboxRequest, ListInboxResponse, ListPointEntriesRequest, ListPointEntriesResponse,
    MarkInboxAsSeenRequest, Points, PriceDiscountRequest, RemoveFromInboxRequest, rewards_server,
};
use tonic::{Request, Response, Status};

use crate::{Rewards, convert, ops};

/// Who may price and claim.
const CLAIMERS: &[&str] = &["ordering"];

/// The gRPC service.
#[derive(Debug, Clone)]
pub struct Grpc(pub Rewards);

#[tonic::async_trait]
impl rewards_server::Rewards for Grpc {
    async fn get_points(&self, request: Request<GetPointsRequest>) -> Result<Response<Points>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let points = ops::get_points::get_points(&self.0, consumer)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_points(points, self.0.rules)))
    }

    async fn list_point_entries(
        &self,
        request: Request<ListPointEntriesRequest>,
    ) -> Result<Response<ListPointEntriesResponse>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let page = convert::page(request.into_inner().page, convert::USUAL_ENTRIES);
        let lines = ops::list_point_entries::list_point_entries(&self.0, consumer, page)
            .await
            .map_err(ServiceError::from)?;
        let entries = lines.into_iter().map(convert::wire_entry).collect();
        Ok(Response::new(ListPointEntriesResponse { entries }))
    }

    async fn price_discount(
        &self,
        request: Request<PriceDiscountRequest>,
    ) -> Result<Response<Discount>, Status> {
        Caller::of(&request)?.service(CLAIMERS)?;
        let request = request.into_inner();
        let consumer = convert::id(&request.consumer_id, "consumerId")?;
        let subtotal = convert::subtotal(request.subtotal)?;
        let discount = ops::price_discount::price_discount(&self.0, consumer, &request.code, subtotal)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_discount(discount)))
    }

    async fn claim_discount(
        &self,
        request: Request<ClaimDiscountRequest>,
    ) -> Result<Response<Discount>, Status> {
        Caller::of(&request)?.service(CLAIMERS)?;
        let request = convert::claim_discount(request.into_inner())?;
        tracing::Span::current().record("aggregate_id", tracing::field::display(request.order));
        let discount = ops::claim_discount::claim_discount(&self.0, request)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_discount(discount)))
    }

    async fn close_claim(
        &self,
        request: Request<CloseClaimRequest>,
    ) -> Result<Response<CloseClaimResponse>, Status> {
        Caller::of(&request)?.service(CLAIMERS)?;
        let order = convert::id(&request.into_inner().order_id, "orderId")?;
        tracing::Span::current().record("aggregate_id", tracing::field::display(order));
        let released = ops::close_claim::close_claim(&self.0, order)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(CloseClaimResponse { released }))
    }

    async fn list_inbox(
        &self,
        request: Request<ListInboxRequest>,
    ) -> Result<Response<ListInboxResponse>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let page = convert::page(request.into_inner().page, convert::USUAL_MESSAGES);
        let (messages, counts) = ops::list_inbox::list_inbox(&self.0, consumer, page)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_inbox(messages, counts)))
    }

    async fn mark_inbox_as_seen(
        &self,
        request: Request<MarkInboxAsSeenRequest>,
    ) -> Result<Response<InboxState>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let messages = convert::message_ids(&request.into_inner().message_ids)?;
        let unseen = ops::mark_inbox_as_seen::mark_inbox_as_seen(&self.0, consumer, &messages)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_state(unseen)))
    }

    async fn remove_from_inbox(
        &self,
        request: Request<RemoveFromInboxRequest>,
    ) -> Result<Response<InboxState>, Status> {
        let consumer = Caller::of(&request)?.consumer()?;
        let messages = convert::message_ids(&request.into_inner().message_ids)?;
        let unseen = ops::remove_from_inbox::remove_from_inbox(&self.0, consumer, &messages)
            .await
            .map_err(ServiceError::from)?;
        Ok(Response::new(convert::wire_state(unseen)))
    }
}
