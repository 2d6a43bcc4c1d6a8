//! Request bodies.

use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use headers::{ContentType, HeaderMapExt, Mime};
use serde::de::DeserializeOwned;

use super::consumer::Consumer;
use super::sentence::to_sentence;
use super::user_id::{UserIdField, require_own_user_id};
use crate::error::ApiError;
use crate::gateway::Gateway;

const REASON: &str = "MALFORMED_BODY";

/// The JSON escape of a character that PostgreSQL cannot store.
const NUL: &[u8] = br"\u0000";

/// A JSON body.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Gateway> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, ApiError> {
        require_json(request.headers())?;
        let consumer = request.extensions().get::<Consumer>();
        let consumer = consumer.map(|consumer| consumer.id.to_string());
        let body = read_body(request, gateway).await?;
        if body.windows(NUL.len()).any(|part| part == NUL) {
            return Err(ApiError::invalid_request(
                REASON,
                "Text can't contain the NUL character.",
            ));
        }
        let parsed = parse(&body)?;
        if let Some(consumer) = consumer {
            let field: UserIdField = parse(&body)?;
            require_own_user_id(field.user_id.as_deref(), &consumer)?;
        }
        Ok(Self(parsed))
    }
}

/// Reads the body as it was sent.
///
/// # Errors
/// `BODY_TOO_SLOW`, `BODY_TOO_LARGE`, or `BODY_UNREADABLE` if the connection broke.
pub(crate) async fn read_body(request: Request, gateway: &Gateway) -> Result<Bytes, ApiError> {
    let timeout = gateway.http.client_timeout();
    let Ok(read) = tokio::time::timeout(timeout, Bytes::from_request(request, gateway)).await else {
        let message = "The request took too long to arrive.";
        return Err(ApiError::invalid_request("BODY_TOO_SLOW", message));
    };
    read.map_err(|rejection| {
        if rejection.status() == http::StatusCode::PAYLOAD_TOO_LARGE {
            ApiError::invalid_request("BODY_TOO_LARGE", "The request is too large.")
        } else {
            ApiError::invalid_request("BODY_UNREADABLE", "The request was incomplete.")
        }
    })
}

fn require_json(headers: &http::HeaderMap) -> Result<(), ApiError> {
    let content_type = headers.typed_get::<ContentType>().map(Mime::from);
    if content_type.is_some_and(|mime| mime.essence_str() == "application/json") {
        return Ok(());
    }
    let message = "The content type must be application/json.";
    Err(ApiError::invalid_request("CONTENT_TYPE", message))
}

/// Parses an object. Serde would also accept an array of the fields in order.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    if body.trim_ascii_start().starts_with(b"[") {
        let message = "The request body must be a JSON object.";
        return Err(ApiError::invalid_request(REASON, message));
    }
    serde_json::from_slice(body).map_err(|error| parse_error(&error))
}

fn parse_error(error: &serde_json::Error) -> ApiError {
    if !error.is_data() {
        return ApiError::invalid_request("MALFORMED_JSON", "The request body isn't valid JSON.");
    }
    // Serde names the field and the position: "missing field `phone` at line 1 column 2".
    let message = error.to_string();
    let without_position = message.split(" at line ").next().unwrap_or_default();
    ApiError::invalid_request(REASON, to_sentence(without_position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::account::LoginRequest;

    fn reason_and_message(body: &str) -> (String, String) {
        let error = parse::<LoginRequest>(body.as_bytes()).unwrap_err().error;
        (error.reason.into_owned(), error.message.into_owned())
    }

    #[test]
    fn the_error_names_the_problem_of_a_body() {
        assert_eq!(reason_and_message("{").0, "MALFORMED_JSON");
        let (reason, message) = reason_and_message("{}");
        assert_eq!(
            (&*reason, &*message),
            ("MALFORMED_BODY", "Missing field `phone`.")
        );
    }

    #[test]
    fn a_body_is_an_object() {
        assert_eq!(reason_and_message(r#" ["+14155550100"]"#).0, "MALFORMED_BODY");
    }

    #[test]
    fn a_body_may_have_one_textual_user_id() {
        assert!(parse::<UserIdField>(br#"{"userId": "usr_a", "userId": "usr_b"}"#).is_err());
        assert!(parse::<UserIdField>(br#"{"userId": 1}"#).is_err());
    }
}
