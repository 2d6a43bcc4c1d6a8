//! Query parameters.

use axum::extract::FromRequestParts;
use http::request::Parts;
use serde::de::DeserializeOwned;

use super::query_error::{REASON, query_error};
use crate::error::ApiError;

/// The escape of a character that PostgreSQL cannot store.
const NUL: &str = "%00";

/// Query parameters.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        if parts.uri.query().is_some_and(|query| query.contains(NUL)) {
            return Err(nul_error(&parts.uri));
        }
        parse_query(&parts.uri).map(Self)
    }
}

pub(crate) fn parse_query<T: DeserializeOwned>(uri: &http::Uri) -> Result<T, ApiError> {
    axum::extract::Query::try_from_uri(uri)
        .map(|axum::extract::Query(query)| query)
        .map_err(|rejection| query_error(&rejection))
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
    let message = format!("`{field}` can have up to {max_chars} characters.");
    Err(ApiError::invalid_request(REASON, message).with_field(field))
}

fn nul_error(uri: &http::Uri) -> ApiError {
    let parameters = uri.query().unwrap_or_default().split('&');
    let field = parameters
        .filter_map(|parameter| parameter.split_once('='))
        .find_map(|(name, value)| value.contains(NUL).then(|| name.to_owned()));
    let mut error = ApiError::invalid_request(REASON, "Text can't contain the NUL character.");
    error.error.field = field.map(Into::into);
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::payment::ListPaymentMethodsQuery;
    use crate::types::store_query::{ListStoresQuery, MapStoresQuery};

    async fn extract<T: DeserializeOwned>(uri: &str) -> Result<Query<T>, ApiError> {
        let (mut parts, ()) = http::Request::builder().uri(uri).body(()).unwrap().into_parts();
        Query::<T>::from_request_parts(&mut parts, &()).await
    }

    #[tokio::test]
    async fn invalid_parameters_are_rejected() {
        for (invalid, field, message) in [
            ("/?curb=maybe", "curb", "`curb` must be true or false."),
            ("/?lat=north", "lat", "`lat` must be a number."),
            ("/?lat=", "lat", "`lat` must be a number."),
            (
                "/?take=-1",
                "take",
                "`take` must be a whole number that isn't negative.",
            ),
            (
                "/?take=",
                "take",
                "`take` must be a whole number that isn't negative.",
            ),
            ("/?take=5000000000", "take", "`take` must be a smaller number."),
            (
                "/?companyId=a&companyId=b",
                "companyId",
                "`companyId` was sent more than once.",
            ),
        ] {
            let error = extract::<ListStoresQuery>(invalid).await.unwrap_err().error;
            assert_eq!(
                (&*error.reason, error.field.as_deref(), &*error.message),
                (REASON, Some(field), message),
                "{invalid}"
            );
        }
        let error = extract::<ListStoresQuery>("/?companyId=%00").await.unwrap_err();
        assert_eq!(
            (&*error.error.reason, error.error.field.as_deref()),
            (REASON, Some("companyId"))
        );
        let missing = extract::<MapStoresQuery>("/?lat=1").await.unwrap_err().error;
        assert_eq!(
            (missing.field.as_deref(), &*missing.message),
            (Some("lon"), "`lon` is missing.")
        );
    }

    #[tokio::test]
    async fn unknown_values_are_named() {
        let error = extract::<ListPaymentMethodsQuery>("/?type=cash")
            .await
            .unwrap_err()
            .error;
        assert_eq!(
            (error.field.as_deref(), &*error.message),
            (Some("type"), "`type` has an unknown value.")
        );
    }
}
