//! Pricing, placing and cancelling.

use axum::extract::State;
use kit::{Code, Refusal};
use proto::ordering::v1 as ordering;

use crate::caller::Consumer;
use crate::envelope::{Answer, Refused};
use crate::extract::Body;
use crate::gateway::Gateway;
use crate::types::order::{CancelOrderRequest, Order, PlaceOrderRequest};
use crate::types::quote::{PriceOrderRequest, Quote};

/// Refusals after which the consumer decides on a new quote.
const MOVED: [&str; 2] = ["PRICE_MOVED", "PROMISE_MOVED"];

/// Prices a cart as placing it now would. Nothing is reserved.
#[utoipa::path(post, path = "/api/consumer/order/pricing", tag = "orders",
    request_body = PriceOrderRequest, responses((status = 200, body = Answer<Quote>)))]
pub async fn price_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<PriceOrderRequest>,
) -> Result<Answer<Quote>, Refused> {
    let request = ordering::PriceOrderRequest {
        cart: Some(request.cart.into()),
    };
    let quote = gateway
        .clients
        .ordering(&consumer.call)
        .price_order(request)
        .await?;
    Ok(Answer::of(quote.into_inner().into()))
}

/// Places an order, once per idempotency key. A price or promise that moved is a 409 with `data.quote`.
#[utoipa::path(post, path = "/api/consumer/order/create", tag = "orders",
    request_body = PlaceOrderRequest, responses((status = 200, body = Answer<Order>)))]
pub async fn place_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<PlaceOrderRequest>,
) -> Result<Answer<Order>, Refused> {
    if !(8..=128).contains(&request.idempotency_key.len()) {
        let refusal = Refusal::new(
            Code::Malformed,
            "IDEMPOTENCY_KEY",
            "The idempotency key has 8 to 128 characters.",
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
        Ok(order) => Ok(Answer::of(order.into_inner().into())),
        Err(status) => {
            let refused = Refused::from(status);
            if refused.0.code == Code::Conflict && MOVED.contains(&&*refused.0.reason) {
                return Err(with_quote(&gateway, &consumer, refused.0, cart).await);
            }
            Err(refused)
        }
    }
}

/// The refusal with the quote to decide on, as `/order/pricing` would give it now.
async fn with_quote(
    gateway: &Gateway,
    consumer: &Consumer,
    refusal: Refusal,
    cart: Option<ordering::Cart>,
) -> Refused {
    let request = ordering::PriceOrderRequest { cart };
    let data = match gateway
        .clients
        .ordering(&consumer.call)
        .price_order(request)
        .await
    {
        Ok(quote) => serde_json::to_string(&Quote::from(quote.into_inner())).ok(),
        Err(_) => None,
    };
    Refused(Refusal {
        data: data.map(|quote| format!("{{\"quote\":{quote}}}")),
        ..refusal
    })
}

/// Cancels an order that no store has accepted yet.
#[utoipa::path(post, path = "/api/consumer/order/cancel", tag = "orders",
    request_body = CancelOrderRequest, responses((status = 200, body = Answer<Order>)))]
pub async fn cancel_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<CancelOrderRequest>,
) -> Result<Answer<Order>, Refused> {
    let request = ordering::CancelOrderRequest {
        order_id: request.order_id,
    };
    let order = gateway
        .clients
        .ordering(&consumer.call)
        .cancel_order(request)
        .await?;
    Ok(Answer::of(order.into_inner().into()))
}
