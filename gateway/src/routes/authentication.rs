//! Signing in with a code, and signing out.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use proto::accounts::v1 as accounts;
use uuid::Uuid;

use crate::address::ClientAddress;
use crate::caller::{Call, Consumer};
use crate::cookie;
use crate::envelope::{ApiError, ApiResponse};
use crate::extract::Body;
use crate::gateway::Gateway;
use crate::types::EmptyResponse;
use crate::types::account::{LoginRequest, LoginResponse, VerifyRequest, VerifyResponse};
use crate::{limits, session};

/// Sends a code to a phone. Answers alike for known and unknown numbers.
#[utoipa::path(post, path = "/api/consumer/authentication/login", tag = "authentication",
    request_body = LoginRequest, responses((status = 200, body = ApiResponse<LoginResponse>)))]
pub async fn login(
    State(gateway): State<Gateway>,
    call: Call,
    address: ClientAddress,
    headers: HeaderMap,
    Body(request): Body<LoginRequest>,
) -> Result<Response, ApiError> {
    limits::sign_in(&gateway, "login", address.0).await?;
    let device = cookie::read(&headers, cookie::DEVICE)
        .and_then(|text| text.parse().ok())
        .unwrap_or_else(Uuid::new_v4);
    let request = accounts::LoginRequest {
        phone: request.phone,
        client_address: address.0.to_string(),
        device_id: device.to_string(),
    };
    let sent = gateway.clients.accounts(&call).login(request).await?.into_inner();
    let sent = LoginResponse {
        phone: sent.phone,
        resend_after_seconds: sent.resend_after_seconds,
        expires_after_seconds: sent.expires_after_seconds,
    };
    let mut response = ApiResponse::new(sent).into_response();
    cookie::set(
        response.headers_mut(),
        &gateway.front,
        cookie::DEVICE,
        &device.to_string(),
    );
    Ok(response)
}

/// Trades a code for a session, which the cookie carries. The one that it replaces there ends.
#[utoipa::path(post, path = "/api/consumer/authentication/verify", tag = "authentication",
    request_body = VerifyRequest, responses((status = 200, body = ApiResponse<VerifyResponse>)))]
pub async fn verify(
    State(gateway): State<Gateway>,
    call: Call,
    address: ClientAddress,
    headers: HeaderMap,
    Body(request): Body<VerifyRequest>,
) -> Result<Response, ApiError> {
    limits::sign_in(&gateway, "verify", address.0).await?;
    let request = accounts::VerifyRequest {
        phone: request.phone,
        code: request.code,
        client_address: address.0.to_string(),
        device_id: cookie::read(&headers, cookie::DEVICE)
            .unwrap_or_default()
            .to_owned(),
    };
    let verified = gateway
        .clients
        .accounts(&call)
        .verify(request)
        .await?
        .into_inner();
    if let Some(replaced) = cookie::read(&headers, cookie::SESSION) {
        end(&gateway, &call, replaced).await.unwrap_or_else(|refused| {
            tracing::warn!(reason = %refused.error.reason, "the session that was replaced goes on until it runs out");
        });
    }
    let profile = verified.profile.unwrap_or_default().into();
    let mut response = ApiResponse::new(VerifyResponse {
        needs_name: verified.needs_name,
        profile,
    })
    .into_response();
    cookie::set(
        response.headers_mut(),
        &gateway.front,
        cookie::SESSION,
        &verified.session_token,
    );
    Ok(response)
}

/// Ends the session, everywhere and at once.
#[utoipa::path(post, path = "/api/consumer/authentication/logout", tag = "authentication",
    responses((status = 200, body = ApiResponse<EmptyResponse>)))]
pub async fn logout(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if let Some(token) = cookie::read(&headers, cookie::SESSION) {
        end(&gateway, &consumer.call.as_gateway(), token).await?;
        gateway.live.end_session(consumer.id, consumer.session);
    }
    let mut response = ApiResponse::new(EmptyResponse {}).into_response();
    cookie::remove(response.headers_mut(), &gateway.front, cookie::SESSION);
    Ok(response)
}

/// Ends the session of a token, known to every gateway at once.
async fn end(gateway: &Gateway, call: &Call, token: &str) -> Result<(), ApiError> {
    let request = accounts::LogoutRequest {
        session_token: token.to_owned(),
    };
    gateway.clients.accounts(call).logout(request).await?;
    session::bury(gateway, token).await;
    Ok(())
}
