//! Request bodies.

use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use headers::{ContentType, HeaderMapExt, Mime};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::body_error::{REASON, decode, invalid_field};
use super::consumer::Consumer;
use super::user_id::{UserIdField, require_own_user_id};
use crate::error::ApiError;
use crate::gateway::Gateway;

/// The JSON escape of a character that PostgreSQL cannot store.
const NUL: &[u8] = br"\u0000";

const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// A JSON body.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Gateway> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, ApiError> {
        require_json(request.headers())?;
        let consumer = request.extensions().get::<Consumer>();
        let consumer = consumer.map(|consumer| consumer.id.to_string());
        let key = idempotency_key(request.headers())?;
        let mut body = read_body(request, gateway).await?;
        if let Some(key) = key {
            body = with_idempotency_key(body, key);
        }
        if body.windows(NUL.len()).any(|part| part == NUL) {
            reject_nul(&body)?;
        }
        let parsed = decode(&body)?;
        if let Some(consumer) = consumer {
            let field: UserIdField = decode(&body)?;
            require_own_user_id(field.user_id.as_deref(), &consumer)?;
        }
        Ok(Self(parsed))
    }
}

/// Returns the `Idempotency-Key` header, for clients whose library sends it.
fn idempotency_key(headers: &http::HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(header) = headers.get(IDEMPOTENCY_KEY) else {
        return Ok(None);
    };
    header.to_str().map(|key| Some(key.to_owned())).map_err(|_| {
        let message = "The Idempotency-Key header must be ASCII.";
        ApiError::invalid_request("MALFORMED", message).with_field("idempotencyKey")
    })
}

/// Adds the key to a body without one. Leaves other bodies for [`decode`].
fn with_idempotency_key(body: Bytes, key: String) -> Bytes {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(&body) else {
        return body;
    };
    fields
        .entry("idempotencyKey")
        .or_insert_with(|| Value::String(key));
    serde_json::to_vec(&fields).map_or(body, Bytes::from)
}

/// Reads the body as it was sent.
///
/// # Errors
/// `BODY_TOO_SLOW`, `BODY_TOO_LARGE`, or `BODY_UNREADABLE` if the connection broke.
pub(crate) async fn read_body(request: Request, gateway: &Gateway) -> Result<Bytes, ApiError> {
    let read = tokio::time::timeout(
        gateway.http.client_timeout(),
        Bytes::from_request(request, gateway),
    );
    read.await.map_err(|_| too_slow())?.map_err(|rejection| {
        if rejection.status() == http::StatusCode::PAYLOAD_TOO_LARGE {
            ApiError::invalid_request("BODY_TOO_LARGE", "The request is too large.")
        } else {
            unreadable()
        }
    })
}

pub(super) fn too_slow() -> ApiError {
    ApiError::invalid_request("BODY_TOO_SLOW", "The request took too long to arrive.")
}

pub(super) fn unreadable() -> ApiError {
    ApiError::invalid_request("BODY_UNREADABLE", "The request was incomplete.")
}

fn require_json(headers: &http::HeaderMap) -> Result<(), ApiError> {
    let content_type = headers.typed_get::<ContentType>().map(Mime::from);
    if content_type.is_some_and(|mime| mime.essence_str() == "application/json") {
        return Ok(());
    }
    let message = "The content type must be application/json.";
    Err(ApiError::invalid_request("CONTENT_TYPE", message).with_field("content-type"))
}

/// Rejects a body with a NUL character. An escaped backslash before `u0000` is no NUL, and [`decode`] rejects a body that is not JSON.
fn reject_nul(body: &[u8]) -> Result<(), ApiError> {
    let value: Option<Value> = serde_json::from_slice(body).ok();
    match value.and_then(|value| path_of_nul(&value)) {
        None => Ok(()),
        Some(path) if path.is_empty() => {
            let message = "Text can't contain the NUL character.";
            Err(ApiError::invalid_request(REASON, message))
        }
        Some(path) => Err(invalid_field(
            path.trim_start_matches('.').to_owned(),
            "can't contain the NUL character",
        )),
    }
}

/// Returns the path of the first text with a NUL character, or of the object with such a key; a path starts with a dot.
fn path_of_nul(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => text.contains('\0').then(String::new),
        Value::Array(values) => values
            .iter()
            .enumerate()
            .find_map(|(index, value)| Some(format!("[{index}]{}", path_of_nul(value)?))),
        Value::Object(fields) if fields.keys().any(|name| name.contains('\0')) => Some(String::new()),
        Value::Object(fields) => fields
            .iter()
            .find_map(|(name, value)| Some(format!(".{name}{}", path_of_nul(value)?))),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_may_have_one_textual_user_id() {
        assert!(decode::<UserIdField>(br#"{"userId": "usr_a", "userId": "usr_b"}"#).is_err());
        assert!(decode::<UserIdField>(br#"{"userId": 1}"#).is_err());
    }

    #[test]
    fn the_field_with_a_nul_character_is_named() {
        for (body, field) in [
            (r#"{"note": "\u0000"}"#, Some("note")),
            (
                r#"{"cart": {"items": [{}, {"note": "a\u0000"}]}}"#,
                Some("cart.items[1].note"),
            ),
            (r#"{"a\u0000": 1}"#, None),
        ] {
            let error = reject_nul(body.as_bytes()).unwrap_err().error;
            assert_eq!(
                (&*error.reason, error.field.as_deref()),
                (REASON, field),
                "{body}"
            );
        }
        assert!(reject_nul(br#"{"note": "a\\u0000"}"#).is_ok());
    }
}
