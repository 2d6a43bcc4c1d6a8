//! Deletion of accounts.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use proto::accounts::v1 as accounts;

use crate::cookie;
use crate::error::ApiError;
use crate::extract::Consumer;
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::EmptyResponse;

/// Deletes the consumer's account with all personal data, and ends all sessions. While an order is active, the response is
/// 409 with reason `ORDER_ACTIVE`.
#[utoipa::path(post, path = "/api/consumer/user/remove", tag = "account",
    responses((status = 200, body = ApiResponse<EmptyResponse>)))]
pub(crate) async fn remove_consumer(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<Response, ApiError> {
    let mut client = gateway.clients.accounts(&consumer.context);
    client.remove_consumer(accounts::RemoveConsumerRequest {}).await?;
    // Streams of other sessions end with their next check of the session.
    gateway.live_orders.end_session(consumer.id, consumer.session);
    let mut response = ApiResponse::new(EmptyResponse {}).into_response();
    cookie::remove(response.headers_mut(), &gateway.http, cookie::SESSION);
    cookie::remove(response.headers_mut(), &gateway.http, cookie::DEVICE);
    Ok(response)
}
