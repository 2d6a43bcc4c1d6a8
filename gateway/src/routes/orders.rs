//! Pricing, placing and cancelling.

use axum::extract::State;
use kit::{ErrorCode, ServiceError};
use proto::ordering::v1 as ordering;
use types::limits::{MAX_IDEMPOTENCY_KEY_CHARS, MIN_IDEMPOTENCY_KEY_CHARS, is_idempotency_key};

use super::payment_methods::provider_script;
use crate::caller::Consumer;
use crate::envelope::{ApiError, ApiResponse};
use crate::extract::Body;
use crate::gateway::Gateway;
use crate::types::order::{CancelOrderRequest, Order, PlaceOrderRequest, PlacedOrder};
use crate::types::quote::{PriceOrderRequest, Quote};

/// Reasons of errors that come with a new quote for the consumer to confirm.
const QUOTE_CHANGED: [&str; 2] = ["PRICE_CHANGED", "ETA_CHANGED"];

/// Prices a cart as placing it now would. Nothing is reserved.
#[utoipa::path(post, path = "/api/consumer/order/pricing", tag = "orders",
    request_body = PriceOrderRequest, responses((status = 200, body = ApiResponse<Quote>)))]
pub async fn price_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<PriceOrderRequest>,
) -> Result<ApiResponse<Quote>, ApiError> {
    let request = ordering::PriceOrderRequest {
        cart: Some(request.cart.into()),
    };
    let quote = gateway
        .clients
        .ordering(&consumer.call)
        .price_order(request)
        .await?;
    Ok(ApiResponse::new(quote.into_inner().into()))
}

/// Places an order, once per idempotency key. A price or promise that moved is a 409 with `data.quote`.
///
/// An order that waits for the consumer's bank comes with what asks the question; then the same key tells what became
/// of it.
#[utoipa::path(post, path = "/api/consumer/order/create", tag = "orders",
    request_body = PlaceOrderRequest, responses((status = 200, body = ApiResponse<PlacedOrder>)))]
pub async fn place_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<PlaceOrderRequest>,
) -> Result<ApiResponse<PlacedOrder>, ApiError> {
    if !is_idempotency_key(&request.idempotency_key) {
        let refusal = ServiceError::new(
            ErrorCode::InvalidRequest,
            "IDEMPOTENCY_KEY",
            format!(
                "The idempotency key has {MIN_IDEMPOTENCY_KEY_CHARS} to {MAX_IDEMPOTENCY_KEY_CHARS} characters."
            ),
        );
        return Err(refusal.with_field("idempotencyKey").into());
    }
    let request = ordering::PlaceOrderRequest::from(request);
    let cart = request.cart.clone();
    match gateway
        .clients
        .ordering(&consumer.call)
        .place_order(request)
        .await
    {
        Ok(order) => {
            let order = order.into_inner();
            tracing::Span::current().record("order_id", &order.order_id);
            let provider_script = if order.client_secret.is_empty() {
                None
            } else {
                Some(provider_script(&gateway, &consumer).await?)
            };
            let order = order.into();
            Ok(ApiResponse::new(PlacedOrder {
                order,
                provider_script,
            }))
        }
        Err(status) => {
            let refused = ApiError::from(status);
            if refused.error.code == ErrorCode::Conflict && QUOTE_CHANGED.contains(&&*refused.error.reason) {
                return Err(with_quote(&gateway, &consumer, refused, cart).await);
            }
            Err(refused)
        }
    }
}

/// Attaches the quote to confirm: the one that ordering sent with the error, or a new one.
async fn with_quote(
    gateway: &Gateway,
    consumer: &Consumer,
    error: ApiError,
    cart: Option<ordering::Cart>,
) -> ApiError {
    let sent = error.error.detail::<ordering::QuoteChanged>();
    let quote = match sent.and_then(|detail| detail.quote) {
        Some(quote) => Some(quote),
        None => {
            let request = ordering::PriceOrderRequest { cart };
            let mut client = gateway.clients.ordering(&consumer.call);
            client
                .price_order(request)
                .await
                .ok()
                .map(tonic::Response::into_inner)
        }
    };
    match quote {
        Some(quote) => error.with_quote(quote.into()),
        None => error,
    }
}

/// Cancels an order that no store has accepted yet.
#[utoipa::path(post, path = "/api/consumer/order/cancel", tag = "orders",
    request_body = CancelOrderRequest, responses((status = 200, body = ApiResponse<Order>)))]
pub async fn cancel_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<CancelOrderRequest>,
) -> Result<ApiResponse<Order>, ApiError> {
    let request = ordering::CancelOrderRequest {
        order_id: request.order_id,
    };
    let order = gateway
        .clients
        .ordering(&consumer.call)
        .cancel_order(request)
        .await?
        .into_inner();
    tracing::Span::current().record("order_id", &order.order_id);
    Ok(ApiResponse::new(order.into()))
}
