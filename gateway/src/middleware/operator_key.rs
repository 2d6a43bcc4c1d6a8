//! Authentication of operators with their keys.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use callers::Caller;
use headers::HeaderMapExt;
use headers::authorization::{Authorization, Bearer};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, WWW_AUTHENTICATE};

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::{ClientAddress, OperatorCaller};
use crate::gateway::Gateway;

/// Accepts only operators. Their key is a header, which browsers do not attach on their own. Responses are not stored.
pub(crate) async fn require_operator(
    State(gateway): State<Gateway>,
    ClientAddress(address): ClientAddress,
    request: Request,
    next: Next,
) -> Response {
    let authorization = request.headers().typed_get::<Authorization<Bearer>>();
    let name = authorization
        .as_ref()
        .and_then(|key| gateway.operators.name_of(key.token()));
    let Some(name) = name else {
        // Not the key, which may be that of an operator with one wrong letter.
        if authorization.is_some() {
            tracing::warn!(%address, "rejected the key of an operator");
        }
        let mut response = ApiError::operator_key_invalid().into_response();
        let scheme = HeaderValue::from_static("Bearer");
        response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        return response;
    };
    let caller = Caller::Operator {
        name: name.to_owned(),
    };
    let (mut parts, body) = request.into_parts();
    let context = CallContext::new(caller, &parts);
    parts.extensions.insert(OperatorCaller(context));
    let mut response = next.run(Request::from_parts(parts, body)).await;
    let no_store = HeaderValue::from_static("no-store");
    response.headers_mut().insert(CACHE_CONTROL, no_store);
    response
}
