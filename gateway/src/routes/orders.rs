//! Pricing, placing and canceling orders.

use axum::extract::State;
use kit::ErrorCode;
use kit::grpc::deadline;
use proto::ordering::v1 as ordering;
use tonic::Request;
use types::limits::{MAX_IDEMPOTENCY_KEY_CHARS, MIN_IDEMPOTENCY_KEY_CHARS, is_idempotency_key};
use types::timeouts::PLACE_ORDER_TIMEOUT;

use super::provider_script::attach_provider_script;
use crate::error::ApiError;
use crate::extract::{Body, Consumer};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::cart::PriceOrderRequest;
use crate::types::order::{CancelOrderRequest, Order};
use crate::types::place_order::{PlaceOrderRequest, PlacedOrder};
use crate::types::quote::Quote;

/// Reasons of errors after which the consumer has to confirm a new quote.
const QUOTE_CHANGED: [&str; 2] = ["PRICE_CHANGED", "ETA_CHANGED"];

/// Returns the price and ready time of a cart if it was ordered now. Nothing is reserved.
#[utoipa::path(post, path = "/api/consumer/order/pricing", tag = "orders",
    request_body = PriceOrderRequest, responses((status = 200, body = ApiResponse<Quote>)))]
pub(crate) async fn price_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<PriceOrderRequest>,
) -> Result<ApiResponse<Quote>, ApiError> {
    let quote = fetch_quote(&gateway, &consumer, request.cart.into()).await?;
    Ok(ApiResponse::new(quote))
}

/// Places an order, once per idempotency key.
///
/// If the price increased or the order would be ready later than expected, the response is 409 with the new quote in
/// `data.quote`. An order that waits for the consumer to authenticate the payment has `clientSecret` and
/// `providerScript`; after the authentication, call again with the same key to get the result.
#[utoipa::path(post, path = "/api/consumer/order/create", tag = "orders",
    request_body = PlaceOrderRequest, responses((status = 200, body = ApiResponse<PlacedOrder>)))]
pub(crate) async fn place_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<PlaceOrderRequest>,
) -> Result<ApiResponse<PlacedOrder>, ApiError> {
    if !is_idempotency_key(&request.idempotency_key) {
        return Err(invalid_idempotency_key());
    }
    let mut request = ordering::PlaceOrderRequest::from(request);
    request.set_journey_step(consumer.journey_step.into());
    let cart = request.cart.clone().unwrap_or_default();
    let mut client = gateway.clients.ordering(&consumer.context);
    let mut request = Request::new(request);
    request.set_timeout(PLACE_ORDER_TIMEOUT);
    // Longer than other requests, because the payment provider is called.
    let order = match deadline::within(PLACE_ORDER_TIMEOUT, client.place_order(request)).await {
        Ok(order) => Order::try_from(order.into_inner())?,
        Err(status) => return Err(attach_quote(&gateway, &consumer, status.into(), cart).await),
    };
    tracing::Span::current().record("order_id", &order.order_id);
    Ok(ApiResponse::new(
        attach_provider_script(&gateway, &consumer, order).await?,
    ))
}

fn invalid_idempotency_key() -> ApiError {
    let message = format!(
        "The idempotency key must have {MIN_IDEMPOTENCY_KEY_CHARS} to {MAX_IDEMPOTENCY_KEY_CHARS} characters."
    );
    ApiError::invalid_request("IDEMPOTENCY_KEY_INVALID", message).with_field("idempotencyKey")
}

/// Attaches the quote to confirm to an error that needs one: the quote that ordering sent, or a new one.
async fn attach_quote(
    gateway: &Gateway,
    consumer: &Consumer,
    error: ApiError,
    cart: ordering::Cart,
) -> ApiError {
    if error.error.code != ErrorCode::Conflict || !QUOTE_CHANGED.contains(&&*error.error.reason) {
        return error;
    }
    let detail = error.error.detail::<ordering::QuoteChanged>();
    let quote = match detail.and_then(|detail| detail.quote) {
        Some(quote) => Quote::try_from(quote).map_err(ApiError::from),
        None => fetch_quote(gateway, consumer, cart).await,
    };
    match quote {
        Ok(quote) => error.with_quote(quote),
        Err(_) => error,
    }
}

async fn fetch_quote(
    gateway: &Gateway,
    consumer: &Consumer,
    cart: ordering::Cart,
) -> Result<Quote, ApiError> {
    let mut request = ordering::PriceOrderRequest {
        cart: Some(cart),
        ..ordering::PriceOrderRequest::default()
    };
    request.set_journey_step(consumer.journey_step.into());
    let mut client = gateway.clients.ordering(&consumer.context);
    let quote = client.price_order(request).await?;
    Ok(quote.into_inner().try_into()?)
}

/// Cancels an order that the store has not accepted yet.
#[utoipa::path(post, path = "/api/consumer/order/cancel", tag = "orders",
    request_body = CancelOrderRequest, responses((status = 200, body = ApiResponse<Order>)))]
pub(crate) async fn cancel_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<CancelOrderRequest>,
) -> Result<ApiResponse<Order>, ApiError> {
    tracing::Span::current().record("order_id", &request.order_id);
    let request = ordering::CancelOrderRequest {
        order_id: request.order_id,
    };
    let mut client = gateway.clients.ordering(&consumer.context);
    let order = client.cancel_order(request).await?;
    Ok(ApiResponse::new(order.into_inner().try_into()?))
}
