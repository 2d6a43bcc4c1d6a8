//! Pricing, placing and cancelling.

use axum::extract::State;
use kit::{ErrorCode, ServiceError};
use prost::Message;
use proto::ordering::v1 as ordering;

use super::payment_methods::provider_script;
use crate::caller::Consumer;
use crate::envelope::{Answer, Refused};
use crate::extract::Body;
use crate::gateway::Gateway;
use crate::types::order::{CancelOrderRequest, Order, PlaceOrderRequest, PlacedOrder};
use crate::types::quote::{Needed, PriceOrderRequest, Quote};

/// Refusals after which the consumer decides on a new quote.
const MOVED: [&str; 2] = ["PRICE_CHANGED", "ETA_CHANGED"];

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
///
/// An order that waits for the consumer's bank comes with what asks the question; then the same key tells what became
/// of it.
#[utoipa::path(post, path = "/api/consumer/order/create", tag = "orders",
    request_body = PlaceOrderRequest, responses((status = 200, body = Answer<PlacedOrder>)))]
pub async fn place_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<PlaceOrderRequest>,
) -> Result<Answer<PlacedOrder>, Refused> {
    if !(8..=128).contains(&request.idempotency_key.chars().count()) {
        let refusal = ServiceError::new(
            ErrorCode::InvalidRequest,
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
        Ok(order) => {
            let order = order.into_inner();
            tracing::Span::current().record("order_id", &order.order_id);
            let provider_script = if order.client_secret.is_empty() {
                None
            } else {
                Some(provider_script(&gateway, &consumer).await?)
            };
            let order = order.into();
            Ok(Answer::of(PlacedOrder {
                order,
                provider_script,
            }))
        }
        Err(status) => {
            let refused = Refused::from(status);
            if refused.0.code == ErrorCode::Conflict && MOVED.contains(&&*refused.0.reason) {
                return Err(with_quote(&gateway, &consumer, refused.0, cart).await);
            }
            Err(refused)
        }
    }
}

/// The refusal with the quote to decide on: the one that ordering refused with, or what pricing says now.
async fn with_quote(
    gateway: &Gateway,
    consumer: &Consumer,
    refusal: ServiceError,
    cart: Option<ordering::Cart>,
) -> Refused {
    let quote = match refusal.data.as_deref().and_then(carried) {
        Some(quote) => Some(quote),
        None => {
            let request = ordering::PriceOrderRequest { cart };
            let priced = gateway
                .clients
                .ordering(&consumer.call)
                .price_order(request)
                .await;
            priced.ok().map(tonic::Response::into_inner)
        }
    };
    let needed = quote.and_then(|quote| {
        serde_json::to_string(&Needed {
            quote: Some(quote.into()),
        })
        .ok()
    });
    Refused(ServiceError {
        data: needed,
        ..refusal
    })
}

/// Ordering sends its quote as its own message, in hexadecimal.
fn carried(data: &str) -> Option<ordering::Quote> {
    #[derive(serde::Deserialize)]
    struct Carried {
        quote: String,
    }
    let carried: Carried = serde_json::from_str(data).ok()?;
    ordering::Quote::decode(hex::decode(carried.quote).ok()?.as_slice()).ok()
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
        .await?
        .into_inner();
    tracing::Span::current().record("order_id", &order.order_id);
    Ok(Answer::of(order.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_quote_that_ordering_sends_along() {
        let quote = ordering::Quote {
            points: 50,
            ..Default::default()
        };
        let data = format!(r#"{{"quote":"{}"}}"#, hex::encode(quote.encode_to_vec()));
        assert_eq!(carried(&data), Some(quote));
        assert_eq!(carried("{}"), None);
        assert_eq!(carried(r#"{"quote":"zz"}"#), None);
    }
}
