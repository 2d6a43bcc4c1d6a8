//! Each method: decode, call one op, encode. No decisions.

use callers::Caller;
use kit::{
    ErrorCode, ServiceError,
    grpc::{GrpcResult, into_grpc},
};
use proto::{ordering::v1 as pb, ordering::v1::ordering_server};
use tonic::{Request, Status};
use types::{OrderId, Page, StoreId};

use crate::{
    Ordering,
    ops::{
        accept, cancel, complete, mark_ready, place, price, read, reject, repeat, save_cart, start,
        user_arrived,
    },
};

const USUAL_PAGE: u32 = 20;

/// The gRPC face of [`Ordering`].
#[derive(Debug)]
pub struct Grpc(pub Ordering);

/// Which order a call is about, also for its trace.
fn order_id(text: &str) -> Result<OrderId, Status> {
    let order: OrderId = text
        .parse()
        .map_err(|_| ServiceError::new(ErrorCode::NotFound, "ORDER_UNKNOWN", "We do not know this order."))?;
    tracing::Span::current().record("aggregate_id", tracing::field::display(order));
    Ok(order)
}

#[tonic::async_trait]
impl ordering_server::Ordering for Grpc {
    async fn price_order(&self, request: Request<pb::PriceOrderRequest>) -> GrpcResult<pb::Quote> {
        let consumer = Caller::of(&request)?.consumer()?;
        let cart = request.into_inner().cart.unwrap_or_default();
        into_grpc(
            price::price(&self.0, consumer, &cart)
                .await
                .map(price::Priced::into_quote),
        )
    }

    async fn place_order(&self, request: Request<pb::PlaceOrderRequest>) -> GrpcResult<pb::Order> {
        let caller = Caller::of(&request)?.clone();
        let consumer = caller.consumer()?;
        into_grpc(place::place(&self.0, &caller, consumer, request.into_inner()).await)
    }

    async fn get_order(&self, request: Request<pb::GetOrderRequest>) -> GrpcResult<pb::Order> {
        let consumer = Caller::of(&request)?.consumer()?;
        let order = order_id(&request.get_ref().order_id)?;
        into_grpc(read::get(&self.0, consumer, order).await)
    }

    async fn list_orders(
        &self,
        request: Request<pb::ListOrdersRequest>,
    ) -> GrpcResult<pb::ListOrdersResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let page = request.into_inner().page.unwrap_or_default();
        let page = Page::new(page.take, page.skip, USUAL_PAGE);
        into_grpc(
            read::list(&self.0, consumer, page)
                .await
                .map(|orders| pb::ListOrdersResponse { orders }),
        )
    }

    async fn list_active_orders(
        &self,
        request: Request<pb::ListActiveOrdersRequest>,
    ) -> GrpcResult<pb::ListOrdersResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        into_grpc(
            read::list_active(&self.0, consumer)
                .await
                .map(|orders| pb::ListOrdersResponse { orders }),
        )
    }

    async fn cancel_order(&self, request: Request<pb::CancelOrderRequest>) -> GrpcResult<pb::Order> {
        let consumer = Caller::of(&request)?.consumer()?;
        let order = order_id(&request.get_ref().order_id)?;
        into_grpc(cancel::cancel(&self.0, consumer, order).await)
    }

    async fn user_arrived(&self, request: Request<pb::UserArrivedRequest>) -> GrpcResult<pb::Order> {
        let consumer = Caller::of(&request)?.consumer()?;
        let request = request.into_inner();
        let order = order_id(&request.order_id)?;
        into_grpc(user_arrived::user_arrived(&self.0, consumer, order, &request.vehicle).await)
    }

    async fn repeat_order(
        &self,
        request: Request<pb::RepeatOrderRequest>,
    ) -> GrpcResult<pb::RepeatOrderResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let order = order_id(&request.get_ref().order_id)?;
        into_grpc(repeat::repeat(&self.0, consumer, order).await)
    }

    async fn save_cart(&self, request: Request<pb::SaveCartRequest>) -> GrpcResult<pb::SavedCart> {
        let consumer = Caller::of(&request)?.consumer()?;
        let cart = request.into_inner().cart.unwrap_or_default();
        into_grpc(save_cart::save_cart(&self.0, consumer, cart).await)
    }

    async fn get_cart(&self, request: Request<pb::GetCartRequest>) -> GrpcResult<pb::SavedCart> {
        let consumer = Caller::of(&request)?.consumer()?;
        into_grpc(save_cart::get_cart(&self.0, consumer).await)
    }

    async fn list_queue(&self, request: Request<pb::ListQueueRequest>) -> GrpcResult<pb::ListOrdersResponse> {
        let caller = Caller::of(&request)?.clone();
        let store = request.into_inner().store_id;
        let store: Option<StoreId> = if store.is_empty() {
            None
        } else {
            let unknown =
                || ServiceError::new(ErrorCode::NotFound, "STORE_UNKNOWN", "We do not know this store.");
            Some(store.parse().map_err(|_| Status::from(unknown()))?)
        };
        into_grpc(
            read::list_queue(&self.0, &caller, store)
                .await
                .map(|orders| pb::ListOrdersResponse { orders }),
        )
    }

    async fn accept_order(&self, request: Request<pb::StoreOrderRequest>) -> GrpcResult<pb::Order> {
        let caller = Caller::of(&request)?.clone();
        into_grpc(accept::accept(&self.0, &caller, order_id(&request.get_ref().order_id)?).await)
    }

    async fn start_order(&self, request: Request<pb::StoreOrderRequest>) -> GrpcResult<pb::Order> {
        let caller = Caller::of(&request)?.clone();
        into_grpc(start::start(&self.0, &caller, order_id(&request.get_ref().order_id)?).await)
    }

    async fn mark_ready(&self, request: Request<pb::StoreOrderRequest>) -> GrpcResult<pb::Order> {
        let caller = Caller::of(&request)?.clone();
        into_grpc(mark_ready::mark_ready(&self.0, &caller, order_id(&request.get_ref().order_id)?).await)
    }

    async fn complete_order(&self, request: Request<pb::StoreOrderRequest>) -> GrpcResult<pb::Order> {
        let caller = Caller::of(&request)?.clone();
        into_grpc(complete::complete(&self.0, &caller, order_id(&request.get_ref().order_id)?).await)
    }

    async fn reject_order(&self, request: Request<pb::RejectOrderRequest>) -> GrpcResult<pb::Order> {
        let caller = Caller::of(&request)?.clone();
        let request = request.into_inner();
        into_grpc(reject::reject(&self.0, &caller, order_id(&request.order_id)?, &request.reason).await)
    }
}
