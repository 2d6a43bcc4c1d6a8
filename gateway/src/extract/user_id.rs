//! The `userId` in queries and bodies. The specification lists it, but the session alone identifies the consumer, so it
//! must equal the session's consumer.

use kit::ErrorCode;
use serde::Deserialize;

use super::query::parse_query;
use crate::error::ApiError;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserIdField {
    pub(crate) user_id: Option<String>,
}

/// # Errors
/// `MALFORMED_QUERY` if the query has more than one `userId`.
pub(crate) fn user_id_of_query(uri: &http::Uri) -> Result<Option<String>, ApiError> {
    parse_query::<UserIdField>(uri).map(|query| query.user_id)
}

/// # Errors
/// `FORBIDDEN` if `user_id` is another consumer's id.
pub(crate) fn require_own_user_id(user_id: Option<&str>, consumer: &str) -> Result<(), ApiError> {
    if user_id.is_none_or(|user_id| user_id == consumer) {
        return Ok(());
    }
    let message = "You don't have permission to do that.";
    Err(ApiError::new(ErrorCode::Forbidden, "FORBIDDEN", message).with_field("userId"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_may_have_one_user_id() {
        let uri = |text: &str| text.parse().unwrap();
        assert_eq!(user_id_of_query(&uri("/?take=1")).unwrap(), None);
        assert_eq!(
            user_id_of_query(&uri("/?userId=usr_a")).unwrap().as_deref(),
            Some("usr_a")
        );
        assert!(user_id_of_query(&uri("/?userId=usr_a&userId=usr_b")).is_err());
    }

    #[test]
    fn only_the_consumers_own_id_is_accepted() {
        assert!(require_own_user_id(None, "usr_a").is_ok());
        assert!(require_own_user_id(Some("usr_a"), "usr_a").is_ok());
        assert_eq!(
            require_own_user_id(Some("usr_b"), "usr_a")
                .unwrap_err()
                .error
                .code,
            ErrorCode::Forbidden
        );
    }
}
