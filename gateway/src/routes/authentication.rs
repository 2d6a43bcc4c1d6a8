//! Sign-in and sign-out.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use proto::accounts::v1 as accounts;
use uuid::Uuid;

use crate::context::CallContext;
use crate::cookie;
use crate::error::ApiError;
use crate::extract::{Body, ClientAddress, Consumer};
use crate::gateway::Gateway;
use crate::hand_over::{replace_session, user_agent};
use crate::rate_limits::check_consumer_sign_in;
use crate::response::ApiResponse;
use crate::session::end_session;
use crate::types::EmptyResponse;
use crate::types::account::{LoginRequest, LoginResponse, VerifyRequest, VerifyResponse};

/// Sends a sign-in code by text message. The response is the same for known and unknown numbers.
#[utoipa::path(post, path = "/api/consumer/authentication/login", tag = "authentication",
    request_body = LoginRequest, responses((status = 200, body = ApiResponse<LoginResponse>)))]
pub(crate) async fn login(
    State(gateway): State<Gateway>,
    context: CallContext,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    Body(request): Body<LoginRequest>,
) -> Result<Response, ApiError> {
    let device = cookie::device(&headers);
    let known_devices_only = check_consumer_sign_in(&gateway, "login", address, device.is_some()).await?;
    let device = device.unwrap_or_else(Uuid::new_v4);
    let request = accounts::LoginRequest {
        phone: request.phone,
        client_address: address.to_string(),
        device_id: device.to_string(),
        known_devices_only,
    };
    let sent = gateway.clients.accounts(&context).login(request).await?;
    let mut response = ApiResponse::new(LoginResponse::from(sent.into_inner())).into_response();
    cookie::set_device(response.headers_mut(), &gateway.http, device);
    Ok(response)
}

/// Exchanges a sign-in code for a session, which is set as a cookie. Ends the session that the cookie replaces.
#[utoipa::path(post, path = "/api/consumer/authentication/verify", tag = "authentication",
    request_body = VerifyRequest, responses((status = 200, body = ApiResponse<VerifyResponse>)))]
pub(crate) async fn verify(
    State(gateway): State<Gateway>,
    context: CallContext,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    Body(request): Body<VerifyRequest>,
) -> Result<Response, ApiError> {
    let device_id = cookie::get(&headers, cookie::DEVICE).unwrap_or_default();
    let known_devices_only =
        check_consumer_sign_in(&gateway, "verify", address, !device_id.is_empty()).await?;
    let request = accounts::VerifyRequest {
        phone: request.phone,
        code: request.code,
        client_address: address.to_string(),
        device_id: device_id.to_owned(),
        user_agent: user_agent(&headers),
        share_code: request.share_code.unwrap_or_default(),
        known_devices_only,
    };
    let mut client = gateway.clients.accounts(&context);
    let verified = client.verify(request).await?.into_inner();
    let token = verified.session_token.clone();
    let mut response = ApiResponse::new(VerifyResponse::from(verified)).into_response();
    replace_session(&gateway, &context, &headers, &token, response.headers_mut()).await;
    Ok(response)
}

/// Ends the session immediately.
#[utoipa::path(post, path = "/api/consumer/authentication/logout", tag = "authentication",
    responses((status = 200, body = ApiResponse<EmptyResponse>)))]
pub(crate) async fn logout(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    // After an error the browser keeps the cookie: the app repeats the call, which needs it to end the session.
    end_session_of(&gateway, &consumer, &headers).await?;
    let mut response = ApiResponse::new(EmptyResponse {}).into_response();
    cookie::remove(response.headers_mut(), &gateway.http, cookie::SESSION);
    Ok(response)
}

async fn end_session_of(gateway: &Gateway, consumer: &Consumer, headers: &HeaderMap) -> Result<(), ApiError> {
    let Some(token) = cookie::get(headers, cookie::SESSION) else {
        return Ok(());
    };
    end_session(gateway, &consumer.context.as_gateway(), token).await?;
    gateway.live_orders.end_session(consumer.id, consumer.session);
    Ok(())
}
