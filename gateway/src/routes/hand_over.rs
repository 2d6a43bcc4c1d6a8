//! Sessions that move between the native app and its web view.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use proto::accounts::v1 as accounts;

use crate::error::ApiError;
use crate::extract::{Body, Consumer, OptionalBody, OptionalConsumer};
use crate::gateway::Gateway;
use crate::hand_over;
use crate::response::ApiResponse;
use crate::types::account::VerifyResponse;
use crate::types::session::{
    CreateHandOverCodeRequest, ExchangeHandOverCodeRequest, HandOverCode, JourneyStepResponse,
};

/// Creates a single-use code, with which another client of the same person gets a session of its own: in the `session`
/// parameter of a page, or by the exchange call. With a wrong key the response is 403 with reason `APP_KEY_INCORRECT`.
#[utoipa::path(post, path = "/api/consumer/authentication/create-hand-over-code", tag = "authentication",
    request_body = CreateHandOverCodeRequest, responses((status = 200, body = ApiResponse<HandOverCode>)))]
pub(crate) async fn create_hand_over_code(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    OptionalBody(request): OptionalBody<CreateHandOverCodeRequest>,
) -> Result<ApiResponse<HandOverCode>, ApiError> {
    let request = accounts::CreateHandOverCodeRequest {
        app_key: request.app_key.unwrap_or_default(),
    };
    let mut client = gateway.clients.accounts(&consumer.context);
    let code = client.create_hand_over_code(request).await?;
    Ok(ApiResponse::new(code.into_inner().into()))
}

/// Exchanges a hand-over code for a session, which is set as a cookie. Ends the session that the cookie replaces.
///
/// Reasons of errors: `HAND_OVER_CODE_INVALID`; `OTHER_CONSUMER_SIGNED_IN` (409) if another consumer is signed in and
/// `replacesConsumer` is not set. The code then stays valid.
#[utoipa::path(post, path = "/api/consumer/authentication/exchange-hand-over-code", tag = "authentication",
    request_body = ExchangeHandOverCodeRequest, responses((status = 200, body = ApiResponse<VerifyResponse>)))]
pub(crate) async fn exchange_hand_over_code(
    State(gateway): State<Gateway>,
    current: OptionalConsumer,
    headers: HeaderMap,
    Body(request): Body<ExchangeHandOverCodeRequest>,
) -> Result<Response, ApiError> {
    let context = current.context.as_gateway();
    let exchange = hand_over::Exchange {
        code: request.code,
        current: current.id()?,
        replaces_consumer: request.replaces_consumer,
    };
    let verified = hand_over::exchange(&gateway, &context, &headers, exchange).await?;
    let token = verified.session_token.clone();
    let mut response = ApiResponse::new(VerifyResponse::from(verified)).into_response();
    hand_over::replace_session(&gateway, &context, &headers, &token, response.headers_mut()).await;
    Ok(response)
}

/// Returns where the session runs: in the native app or in a browser.
#[utoipa::path(get, path = "/api/consumer/user/journey-step", tag = "account",
    responses((status = 200, body = ApiResponse<JourneyStepResponse>)))]
pub(crate) async fn get_journey_step(consumer: Consumer) -> ApiResponse<JourneyStepResponse> {
    ApiResponse::new(JourneyStepResponse {
        journey_step: consumer.journey_step,
    })
}
