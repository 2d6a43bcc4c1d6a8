//! Sign-in of the staff of a store.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use callers::Caller;
use http::HeaderMap;
use proto::stores::v1 as stores;
use uuid::Uuid;

use crate::client_network::network;
use crate::context::CallContext;
use crate::cookie;
use crate::error::ApiError;
use crate::extract::{Body, ClientAddress, StoreCaller};
use crate::gateway::Gateway;
use crate::middleware::store_credential::forget_credential;
use crate::rate_limits::check_staff_sign_in;
use crate::response::ApiResponse;
use crate::types::EmptyResponse;
use crate::types::staff::{SignInStaffRequest, StaffSession};

/// Signs in the staff of a store with its code and PIN, and sets the session as a cookie. It ends after 12 hours.
///
/// An unknown code and a wrong PIN have the same response, `STAFF_PIN_INVALID`. After too many attempts for the store or from
/// the address, the response is 429 with reason `STAFF_LOCKED_OUT` and `Retry-After`. A device that signed in to the store
/// before, which a cookie identifies, has its own limit instead.
#[utoipa::path(post, path = "/store-api/staff/sign-in", tag = "store-api",
    request_body = SignInStaffRequest, responses((status = 200, body = ApiResponse<StaffSession>)))]
pub(crate) async fn sign_in_staff(
    State(gateway): State<Gateway>,
    context: CallContext,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    Body(request): Body<SignInStaffRequest>,
) -> Result<Response, ApiError> {
    let device = cookie::device(&headers);
    let known_devices_only = check_staff_sign_in(&gateway, address, device.is_some()).await?;
    let device = device.unwrap_or_else(Uuid::new_v4);
    let request = stores::SignInStaffRequest {
        store_code: request.store_code,
        pin: request.pin,
        client_address: network(address),
        device_id: device.to_string(),
        known_devices_only,
    };
    let mut client = gateway.clients.store_staff(&context);
    let session = client.sign_in_staff(request).await?.into_inner();
    let store = read_store(&gateway, &context, session.store_id).await?;
    let mut response = ApiResponse::new(store).into_response();
    cookie::set_staff(response.headers_mut(), &gateway.http, &session.token);
    cookie::set_device(response.headers_mut(), &gateway.http, device);
    Ok(response)
}

/// Ends the session of the cookie immediately.
#[utoipa::path(post, path = "/store-api/staff/sign-out", tag = "store-api",
    responses((status = 200, body = ApiResponse<EmptyResponse>)))]
pub(crate) async fn sign_out_staff(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if let Some(token) = cookie::get(&headers, cookie::STAFF) {
        let request = stores::SignOutStaffRequest {
            token: token.to_owned(),
        };
        let mut client = gateway.clients.store_staff(&context.as_gateway());
        client.sign_out_staff(request).await?;
        forget_credential(&gateway, token).await;
    }
    let mut response = ApiResponse::new(EmptyResponse {}).into_response();
    cookie::remove_staff(response.headers_mut(), &gateway.http);
    Ok(response)
}

/// Returns the store of the signed-in staff. Responds 403 to a credential for several stores.
#[utoipa::path(get, path = "/store-api/staff/session", tag = "store-api",
    responses((status = 200, body = ApiResponse<StaffSession>)))]
pub(crate) async fn get_staff_session(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
) -> Result<ApiResponse<StaffSession>, ApiError> {
    let store_id = match &context.caller {
        Caller::Store {
            stores: Some(ids), ..
        } if ids.len() == 1 => ids.first().map(ToString::to_string),
        _ => None,
    };
    let store_id = store_id.ok_or_else(callers::forbidden)?;
    read_store(&gateway, &context, store_id)
        .await
        .map(ApiResponse::new)
}

async fn read_store(
    gateway: &Gateway,
    context: &CallContext,
    store_id: String,
) -> Result<StaffSession, ApiError> {
    let request = stores::GetStoreRequest {
        store_id,
        position: None,
    };
    let store = gateway.clients.stores(context).get_store(request).await?;
    Ok(store.into_inner().try_into()?)
}
