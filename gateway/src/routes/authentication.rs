//! Sign-in and sign-out.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use http::header::USER_AGENT;
use proto::accounts::v1 as accounts;
use uuid::Uuid;

use crate::context::CallContext;
use crate::cookie;
use crate::error::ApiError;
use crate::extract::{Body, ClientAddress, Consumer};
use crate::gateway::Gateway;
use crate::rate_limits::check_sign_in;
use crate::response::ApiResponse;
use crate::session::end_session;
use crate::types::EmptyResponse;
use crate::types::account::{LoginRequest, LoginResponse, VerifyRequest, VerifyResponse};

const MAX_USER_AGENT_CHARS: usize = 512;

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
    check_sign_in(&gateway, "login", address).await?;
    let device_id = cookie::get(&headers, cookie::DEVICE)
        .and_then(|id| id.parse().ok())
        .unwrap_or_else(Uuid::new_v4)
        .to_string();
    let request = accounts::LoginRequest {
        phone: request.phone,
        client_address: address.to_string(),
        device_id: device_id.clone(),
    };
    let sent = gateway.clients.accounts(&context).login(request).await?;
    let mut response = ApiResponse::new(LoginResponse::from(sent.into_inner())).into_response();
    cookie::set(response.headers_mut(), &gateway.http, cookie::DEVICE, &device_id);
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
    check_sign_in(&gateway, "verify", address).await?;
    let device_id = cookie::get(&headers, cookie::DEVICE).unwrap_or_default();
    let request = accounts::VerifyRequest {
        phone: request.phone,
        code: request.code,
        client_address: address.to_string(),
        device_id: device_id.to_owned(),
        user_agent: user_agent(&headers),
    };
    let mut client = gateway.clients.accounts(&context);
    let verified = client.verify(request).await?.into_inner();
    if let Some(replaced) = cookie::get(&headers, cookie::SESSION)
        && let Err(error) = end_session(&gateway, &context, replaced).await
    {
        tracing::warn!(reason = %error.error.reason, "replaced session not ended; it remains until it expires");
    }
    let mut response = ApiResponse::new(VerifyResponse {
        needs_name: verified.needs_name,
        profile: verified.profile.unwrap_or_default().into(),
    })
    .into_response();
    cookie::set(
        response.headers_mut(),
        &gateway.http,
        cookie::SESSION,
        &verified.session_token,
    );
    Ok(response)
}

/// Returns the start of the user agent header, which is long enough to name the device.
fn user_agent(headers: &HeaderMap) -> String {
    let user_agent = headers.get(USER_AGENT).and_then(|value| value.to_str().ok());
    user_agent
        .unwrap_or_default()
        .chars()
        .take(MAX_USER_AGENT_CHARS)
        .collect()
}

/// Ends the session immediately.
#[utoipa::path(post, path = "/api/consumer/authentication/logout", tag = "authentication",
    responses((status = 200, body = ApiResponse<EmptyResponse>)))]
pub(crate) async fn logout(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if let Some(token) = cookie::get(&headers, cookie::SESSION) {
        end_session(&gateway, &consumer.context.as_gateway(), token).await?;
        gateway.live_orders.end_session(consumer.id, consumer.session);
    }
    let mut response = ApiResponse::new(EmptyResponse {}).into_response();
    cookie::remove(response.headers_mut(), &gateway.http, cookie::SESSION);
    Ok(response)
}
