//! Query parameters.

use axum::extract::FromRequestParts;
use http::request::Parts;
use serde::de::DeserializeOwned;

use super::sentence::to_sentence;
use crate::error::ApiError;

const REASON: &str = "MALFORMED_QUERY";

/// Query parameters.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        // PostgreSQL cannot store this character.
        if parts.uri.query().is_some_and(|query| query.contains("%00")) {
            return Err(ApiError::invalid_request(
                REASON,
                "Text can't contain the NUL character.",
            ));
        }
        parse_query(&parts.uri).map(Self)
    }
}

pub(crate) fn parse_query<T: DeserializeOwned>(uri: &http::Uri) -> Result<T, ApiError> {
    axum::extract::Query::try_from_uri(uri)
        .map(|axum::extract::Query(query)| query)
        .map_err(|rejection| ApiError::invalid_request(REASON, to_sentence(&rejection.body_text())))
}

/// # Errors
/// `MALFORMED_QUERY` if the text is longer.
pub(crate) fn validate_max_chars(
    text: String,
    max_chars: usize,
    field: &'static str,
) -> Result<String, ApiError> {
    if text.chars().count() <= max_chars {
        return Ok(text);
    }
    let message = format!("{field} can have up to {max_chars} characters.");
    Err(ApiError::invalid_request(REASON, to_sentence(&message)).with_field(field))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::store_query::{ListStoresQuery, MapStoresQuery};

    async fn extract<T: DeserializeOwned>(uri: &str) -> Result<Query<T>, ApiError> {
        let (mut parts, ()) = http::Request::builder().uri(uri).body(()).unwrap().into_parts();
        Query::<T>::from_request_parts(&mut parts, &()).await
    }

    #[tokio::test]
    async fn invalid_parameters_are_rejected() {
        for invalid in ["/?curb=maybe", "/?lat=north", "/?take=-1", "/?companyId=%00"] {
            let error = extract::<ListStoresQuery>(invalid).await.unwrap_err();
            assert_eq!(error.error.reason, REASON, "{invalid}");
        }
        assert!(extract::<MapStoresQuery>("/?lat=1").await.is_err());
    }
}
