//! The gRPC service: each method decodes, calls one operation of the same name, and encodes.

use callers::Caller;
use jiff::civil::Date;
use kit::{
    grpc::{GrpcResult, into_grpc},
    parse_id, parse_optional_id,
};
use proto::{ordering::v1 as pb, ordering::v1::ordering_server};
use tonic::{Request, Status};
use types::{OrderId, Page, StoreId};

use crate::{
    Ordering, convert,
    domain::queue::QueueCursor,
    errors::invalid_field,
    ops::{
        advance_order::{Advance, advance_order},
        cancel_order::cancel_order,
        delay_order::delay_order,
        get_cart::get_cart,
        get_cart_data::get_cart_data,
        get_order::get_order,
        get_order_timeline::get_order_timeline,
        get_receipt::{get_public_receipt, get_receipt},
        get_store_order::get_store_order,
        get_store_summary::get_store_summary,
        list_active_orders::list_active_orders,
        list_orders::list_orders,
        list_queue::list_queue,
        list_scheduled_orders::list_scheduled_orders,
        place_order::place_order,
        price_order::price_order,
        reject_order::reject_order,
        repeat_order::repeat_order,
        reschedule_order::reschedule_order,
        save_cart::save_cart,
        send_order_feedback::send_order_feedback,
        send_user_feedback::send_user_feedback,
        user_arrived::user_arrived,
    },
};

const DEFAULT_PAGE_SIZE: u32 = 20;
const QUEUE_PAGE_SIZE: u32 = 100;

#[derive(Debug)]
pub(crate) struct Grpc(pub(crate) Ordering);

/// Also records the id in the request's span.
fn parse_order_id(text: &str) -> Result<OrderId, Status> {
    let order_id: OrderId = parse_id(text, "orderId")?;
    tracing::Span::current().record("aggregate_id", tracing::field::display(order_id));
    Ok(order_id)
}

fn parse_store_id(text: &str) -> Result<Option<StoreId>, Status> {
    Ok(parse_optional_id(text, "storeId")?)
}

fn parse_required_store_id(text: &str) -> Result<StoreId, Status> {
    Ok(parse_id(text, "storeId")?)
}

fn parse_day(text: &str) -> Result<Option<Date>, Status> {
    match text {
        "" => Ok(None),
        text => Ok(Some(text.parse().map_err(|_| invalid_field("overrideDay"))?)),
    }
}

fn parse_cursor(text: &str) -> Result<Option<QueueCursor>, Status> {
    match text {
        "" => Ok(None),
        text => Ok(Some(text.parse().map_err(|_| invalid_field("cursor"))?)),
    }
}

impl Grpc {
    async fn advance(
        &self,
        request: Request<pb::StoreOrderRequest>,
        advance: Advance,
    ) -> GrpcResult<pb::Order> {
        let caller = Caller::of(&request)?;
        let order_id = parse_order_id(&request.get_ref().order_id)?;
        into_grpc(
            advance_order(&self.0, Some(caller), order_id, advance)
                .await
                .map(convert::order),
        )
    }
}

#[tonic::async_trait]
impl ordering_server::Ordering for Grpc {
    async fn price_order(&self, request: Request<pb::PriceOrderRequest>) -> GrpcResult<pb::Quote> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let request = request.into_inner();
        let cart = convert::cart_draft(request.cart.ok_or_else(|| invalid_field("cart"))?)?;
        let journey_step = convert::journey_step_from_proto(request.journey_step);
        into_grpc(
            price_order(&self.0, consumer_id, journey_step, cart)
                .await
                .map(convert::quote),
        )
    }

    async fn place_order(&self, request: Request<pb::PlaceOrderRequest>) -> GrpcResult<pb::Order> {
        let caller = Caller::of(&request)?.clone();
        let command = convert::place_order(caller.consumer()?, request.into_inner())?;
        into_grpc(place_order(&self.0, &caller, command).await.map(convert::order))
    }

    async fn get_order(&self, request: Request<pb::GetOrderRequest>) -> GrpcResult<pb::Order> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let order_id = parse_order_id(&request.get_ref().order_id)?;
        into_grpc(
            get_order(&self.0, consumer_id, order_id)
                .await
                .map(convert::order),
        )
    }

    async fn list_orders(
        &self,
        request: Request<pb::ListOrdersRequest>,
    ) -> GrpcResult<pb::ListOrdersResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let page = request.into_inner().page.unwrap_or_default();
        let page = Page::new(page.take, page.skip, DEFAULT_PAGE_SIZE);
        into_grpc(list_orders(&self.0, consumer_id, page).await.map(convert::orders))
    }

    async fn list_active_orders(
        &self,
        request: Request<pb::ListActiveOrdersRequest>,
    ) -> GrpcResult<pb::ListOrdersResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let day = parse_day(&request.get_ref().day)?;
        into_grpc(
            list_active_orders(&self.0, consumer_id, day)
                .await
                .map(convert::orders),
        )
    }

    async fn cancel_order(&self, request: Request<pb::CancelOrderRequest>) -> GrpcResult<pb::Order> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let order_id = parse_order_id(&request.get_ref().order_id)?;
        into_grpc(
            cancel_order(&self.0, consumer_id, order_id)
                .await
                .map(convert::order),
        )
    }

    async fn user_arrived(&self, request: Request<pb::UserArrivedRequest>) -> GrpcResult<pb::Order> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let request = request.into_inner();
        let order_id = parse_order_id(&request.order_id)?;
        into_grpc(
            user_arrived(&self.0, consumer_id, order_id, &request.vehicle)
                .await
                .map(convert::order),
        )
    }

    async fn repeat_order(
        &self,
        request: Request<pb::RepeatOrderRequest>,
    ) -> GrpcResult<pb::RepeatOrderResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let order_id = parse_order_id(&request.get_ref().order_id)?;
        into_grpc(
            repeat_order(&self.0, consumer_id, order_id)
                .await
                .map(convert::repeated_order),
        )
    }

    async fn save_cart(&self, request: Request<pb::SaveCartRequest>) -> GrpcResult<pb::SavedCart> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let cart = request.into_inner().cart.map(convert::cart_draft).transpose()?;
        into_grpc(
            save_cart(&self.0, consumer_id, cart)
                .await
                .map(convert::saved_cart),
        )
    }

    async fn get_cart(&self, request: Request<pb::GetCartRequest>) -> GrpcResult<pb::SavedCart> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        into_grpc(get_cart(&self.0, consumer_id).await.map(convert::saved_cart))
    }

    async fn get_cart_data(&self, request: Request<pb::GetCartDataRequest>) -> GrpcResult<pb::CartData> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let request = request.into_inner();
        let store_id = parse_required_store_id(&request.store_id)?;
        let journey_step = convert::journey_step_from_proto(request.journey_step);
        into_grpc(
            get_cart_data(&self.0, consumer_id, journey_step, store_id)
                .await
                .map(convert::cart_data),
        )
    }

    async fn get_receipt(&self, request: Request<pb::GetReceiptRequest>) -> GrpcResult<pb::Receipt> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let order_id = parse_order_id(&request.get_ref().order_id)?;
        into_grpc(
            get_receipt(&self.0, consumer_id, order_id)
                .await
                .map(convert::receipt),
        )
    }

    async fn get_public_receipt(
        &self,
        request: Request<pb::GetPublicReceiptRequest>,
    ) -> GrpcResult<pb::Receipt> {
        let request = request.get_ref();
        let order_id = parse_order_id(&request.order_id)?;
        into_grpc(
            get_public_receipt(&self.0, order_id, &request.signature)
                .await
                .map(convert::receipt),
        )
    }

    async fn send_user_feedback(
        &self,
        request: Request<pb::SendUserFeedbackRequest>,
    ) -> GrpcResult<pb::SendUserFeedbackResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        into_grpc(
            send_user_feedback(&self.0, consumer_id, &request.get_ref().message)
                .await
                .map(|()| pb::SendUserFeedbackResponse {}),
        )
    }

    async fn send_order_feedback(
        &self,
        request: Request<pb::SendOrderFeedbackRequest>,
    ) -> GrpcResult<pb::SendOrderFeedbackResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let request = request.into_inner();
        let order_id = parse_order_id(&request.order_id)?;
        into_grpc(
            send_order_feedback(&self.0, consumer_id, order_id, convert::feedback_draft(request))
                .await
                .map(|()| pb::SendOrderFeedbackResponse {}),
        )
    }

    async fn list_queue(&self, request: Request<pb::ListQueueRequest>) -> GrpcResult<pb::ListOrdersResponse> {
        let caller = Caller::of(&request)?;
        let request_message = request.get_ref();
        let store_id = parse_store_id(&request_message.store_id)?;
        let after = parse_cursor(&request_message.cursor)?;
        let page = Page::new(request_message.take, 0, QUEUE_PAGE_SIZE);
        into_grpc(
            list_queue(&self.0, caller, store_id, after, page)
                .await
                .map(convert::queue),
        )
    }

    async fn get_store_order(&self, request: Request<pb::StoreOrderRequest>) -> GrpcResult<pb::Order> {
        let caller = Caller::of(&request)?;
        let order_id = parse_order_id(&request.get_ref().order_id)?;
        into_grpc(
            get_store_order(&self.0, caller, order_id)
                .await
                .map(convert::order),
        )
    }

    async fn accept_order(&self, request: Request<pb::StoreOrderRequest>) -> GrpcResult<pb::Order> {
        self.advance(request, Advance::Accept).await
    }

    async fn start_order(&self, request: Request<pb::StoreOrderRequest>) -> GrpcResult<pb::Order> {
        self.advance(request, Advance::Start).await
    }

    async fn mark_ready(&self, request: Request<pb::StoreOrderRequest>) -> GrpcResult<pb::Order> {
        self.advance(request, Advance::MarkReady).await
    }

    async fn complete_order(&self, request: Request<pb::StoreOrderRequest>) -> GrpcResult<pb::Order> {
        self.advance(request, Advance::Complete).await
    }

    async fn delay_order(&self, request: Request<pb::DelayOrderRequest>) -> GrpcResult<pb::Order> {
        let caller = Caller::of(&request)?.clone();
        let request = request.into_inner();
        let order_id = parse_order_id(&request.order_id)?;
        let draft = convert::delay_draft(request)?;
        into_grpc(
            delay_order(&self.0, &caller, order_id, draft)
                .await
                .map(convert::order),
        )
    }

    async fn list_scheduled_orders(
        &self,
        request: Request<pb::ListScheduledOrdersRequest>,
    ) -> GrpcResult<pb::ListScheduledOrdersResponse> {
        let caller = Caller::of(&request)?;
        let store_id = parse_required_store_id(&request.get_ref().store_id)?;
        into_grpc(
            list_scheduled_orders(&self.0, caller, store_id)
                .await
                .map(convert::scheduled_orders),
        )
    }

    async fn reschedule_order(&self, request: Request<pb::RescheduleOrderRequest>) -> GrpcResult<pb::Order> {
        let caller = Caller::of(&request)?;
        let message = request.get_ref();
        let order_id = parse_order_id(&message.order_id)?;
        let ready_at = message.ready_at.parse().map_err(|_| invalid_field("readyAt"))?;
        into_grpc(
            reschedule_order(&self.0, caller, order_id, ready_at, &message.reason)
                .await
                .map(convert::order),
        )
    }

    async fn get_store_summary(
        &self,
        request: Request<pb::GetStoreSummaryRequest>,
    ) -> GrpcResult<pb::StoreSummary> {
        let caller = Caller::of(&request)?;
        let store_id = parse_required_store_id(&request.get_ref().store_id)?;
        into_grpc(
            get_store_summary(&self.0, caller, store_id)
                .await
                .map(convert::store_summary),
        )
    }

    async fn reject_order(&self, request: Request<pb::RejectOrderRequest>) -> GrpcResult<pb::Order> {
        let caller = Caller::of(&request)?;
        let request_message = request.get_ref();
        let order_id = parse_order_id(&request_message.order_id)?;
        into_grpc(
            reject_order(&self.0, caller, order_id, &request_message.reason)
                .await
                .map(convert::order),
        )
    }

    async fn get_order_timeline(
        &self,
        request: Request<pb::GetOrderTimelineRequest>,
    ) -> GrpcResult<pb::OrderTimeline> {
        let operator = Caller::of(&request)?.operator()?;
        let order_id = parse_order_id(&request.get_ref().order_id)?;
        tracing::info!(operator, "records of an order shown");
        into_grpc(
            get_order_timeline(&self.0, order_id)
                .await
                .map(convert::order_timeline),
        )
    }
}
