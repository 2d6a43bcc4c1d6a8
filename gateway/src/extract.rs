//! What handlers take from a request, with refusals in the one envelope.

use axum::extract::{FromRequest, FromRequestParts, Request};
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::request::Parts;
use kit::{ErrorCode, ServiceError};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::caller::Consumer;
use crate::envelope::ApiError;
use crate::gateway::Gateway;

/// The one escape of JSON that stands for no text.
const NUL: &[u8] = br"\u0000";

/// A JSON body.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Gateway> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, ApiError> {
        require_json(request.headers())?;
        let consumer = request
            .extensions()
            .get::<Consumer>()
            .map(|consumer| consumer.id.to_string());
        let body = raw(request, gateway).await?;
        // No database of ours keeps this character, and nobody types it.
        if body.windows(NUL.len()).any(|part| part == NUL) {
            return Err(ApiError::malformed(
                "MALFORMED_BODY",
                "Text cannot contain the NUL character.",
            ));
        }
        let parsed = parse(&body)?;
        if let Some(consumer) = consumer {
            require_own(parse::<Named>(&body)?.user_id.as_deref(), &consumer)?;
        }
        Ok(Self(parsed))
    }
}

/// Every body of ours is an object; serde would also take its fields in a row, without their names.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    if body.trim_ascii_start().starts_with(b"[") {
        return Err(ApiError::malformed(
            "MALFORMED_BODY",
            "Send the body as an object.",
        ));
    }
    serde_json::from_slice(body).map_err(|error| explain(&error))
}

/// A part of the path.
#[derive(Debug)]
pub struct PathPart(pub String);

impl<S: Send + Sync> FromRequestParts<S> for PathPart {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let part = axum::extract::Path::from_request_parts(parts, state).await;
        part.map(|axum::extract::Path(part)| Self(part))
            .map_err(|_| ApiError::malformed("MALFORMED_PATH", "This address cannot be read."))
    }
}

/// Query parameters.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        if parts.uri.query().is_some_and(|query| query.contains("%00")) {
            return Err(ApiError::malformed(
                "MALFORMED_QUERY",
                "Text cannot contain the NUL character.",
            ));
        }
        axum::extract::Query::try_from_uri(&parts.uri)
            .map(|axum::extract::Query(query)| Self(query))
            .map_err(|rejection| ApiError::malformed("MALFORMED_QUERY", sentence(&rejection.body_text())))
    }
}

/// The body as it came, for what is signed as a whole.
///
/// # Errors
/// Larger than is taken, too slow, or cut off.
pub async fn raw(request: Request, gateway: &Gateway) -> Result<Bytes, ApiError> {
    let patience = gateway.front.client_patience();
    let Ok(read) = tokio::time::timeout(patience, Bytes::from_request(request, gateway)).await else {
        return Err(ApiError::malformed(
            "BODY_TOO_SLOW",
            "The request took too long to arrive.",
        ));
    };
    read.map_err(|rejection| {
        if rejection.status() == http::StatusCode::PAYLOAD_TOO_LARGE {
            ApiError::malformed("BODY_TOO_LARGE", "The request is too large.")
        } else {
            ApiError::malformed("BODY_UNREADABLE", "The request did not arrive whole.")
        }
    })
}

/// `userId` is taken because the specification lists it; whose session it is decides.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Named {
    user_id: Option<String>,
}

impl Named {
    /// # Errors
    /// It is said twice: which of the two is meant?
    pub(crate) fn in_query(uri: &http::Uri) -> Result<Option<String>, ApiError> {
        axum::extract::Query::<Self>::try_from_uri(uri)
            .map(|query| query.0.user_id)
            .map_err(|rejection| ApiError::malformed("MALFORMED_QUERY", sentence(&rejection.body_text())))
    }
}

/// # Errors
/// `FORBIDDEN` where somebody else is named.
pub(crate) fn require_own(named: Option<&str>, consumer: &str) -> Result<(), ApiError> {
    if named.is_none_or(|named| named == consumer) {
        return Ok(());
    }
    Err(ServiceError::new(
        ErrorCode::Forbidden,
        "FORBIDDEN",
        "This belongs to somebody else.",
    )
    .with_field("userId")
    .into())
}

/// Text of a query that is no longer than the contract says.
///
/// # Errors
/// `MALFORMED_QUERY` for more, named by its field.
pub(crate) fn within(text: String, longest: usize, field: &'static str) -> Result<String, ApiError> {
    if text.chars().count() <= longest {
        return Ok(text);
    }
    let message = format!("{field} has at most {longest} characters.");
    Err(
        ServiceError::new(ErrorCode::InvalidRequest, "MALFORMED_QUERY", sentence(&message))
            .with_field(field)
            .into(),
    )
}

fn require_json(headers: &http::HeaderMap) -> Result<(), ApiError> {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") {
        Ok(())
    } else {
        Err(ApiError::malformed(
            "CONTENT_TYPE",
            "Send the body as application/json.",
        ))
    }
}

fn explain(error: &serde_json::Error) -> ApiError {
    if error.is_data() {
        // serde names the field or value: "missing field `phone` at line 1 column 2".
        let said = error.to_string();
        let said = said.split(" at line ").next().unwrap_or_default().to_owned();
        ApiError::malformed("MALFORMED_BODY", sentence(&said))
    } else {
        ApiError::malformed("MALFORMED_JSON", "The body is not JSON.")
    }
}

fn sentence(said: &str) -> String {
    let mut letters = said.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| {
        format!("{}{}.", first.to_uppercase(), letters.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::store_query::{ListStoresQuery, MapStoresQuery};

    fn refusal<T: DeserializeOwned + std::fmt::Debug>(body: &str) -> ServiceError {
        explain(&serde_json::from_str::<T>(body).unwrap_err()).error
    }

    #[test]
    fn says_what_is_wrong_with_a_body() {
        use crate::types::account::LoginRequest;
        assert_eq!(refusal::<LoginRequest>("{").reason, "MALFORMED_JSON");
        let missing = refusal::<LoginRequest>("{}");
        assert_eq!(
            (&*missing.reason, &*missing.message),
            ("MALFORMED_BODY", "Missing field `phone`.")
        );
    }

    #[tokio::test]
    async fn refuses_query_values_that_are_none() {
        for bad in ["/?curb=maybe", "/?lat=north", "/?take=-1", "/?companyId=%00"] {
            let (mut parts, ()) = http::Request::builder().uri(bad).body(()).unwrap().into_parts();
            let refused = Query::<ListStoresQuery>::from_request_parts(&mut parts, &())
                .await
                .unwrap_err();
            assert_eq!(refused.error.reason, "MALFORMED_QUERY", "{bad}");
        }
        let (mut parts, ()) = http::Request::builder()
            .uri("/?lat=1")
            .body(())
            .unwrap()
            .into_parts();
        assert!(
            Query::<MapStoresQuery>::from_request_parts(&mut parts, &())
                .await
                .is_err()
        );
    }

    #[test]
    fn a_body_is_an_object() {
        use crate::types::account::LoginRequest;
        let refused = parse::<LoginRequest>(br#" ["+14155550100"]"#).unwrap_err();
        assert_eq!(refused.error.reason, "MALFORMED_BODY");
    }

    #[test]
    fn a_user_id_is_said_once_and_as_text() {
        let uri = |text: &str| text.parse().unwrap();
        assert_eq!(Named::in_query(&uri("/?take=1")).unwrap(), None);
        assert_eq!(
            Named::in_query(&uri("/?userId=usr_a")).unwrap().as_deref(),
            Some("usr_a")
        );
        assert!(Named::in_query(&uri("/?userId=usr_a&userId=usr_b")).is_err());
        assert!(parse::<Named>(br#"{"userId": "usr_a", "userId": "usr_b"}"#).is_err());
        assert!(parse::<Named>(br#"{"userId": 1}"#).is_err());
    }

    #[test]
    fn takes_only_the_own_user_id() {
        assert!(require_own(None, "usr_a").is_ok());
        assert!(require_own(Some("usr_a"), "usr_a").is_ok());
        assert_eq!(
            require_own(Some("usr_b"), "usr_a").unwrap_err().error.code,
            ErrorCode::Forbidden
        );
    }
}
