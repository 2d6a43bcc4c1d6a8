//! The `session` parameter of pages: a hand-over code, with which the native app opens its web view.

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, LOCATION, REFERRER_POLICY};
use http::request::Parts;
use http::{HeaderValue, StatusCode, Uri};
use kit::ErrorCode;

use crate::context::CallContext;
use crate::gateway::Gateway;
use crate::hand_over::{Exchange, exchange, replace_session};
use crate::session::find_optional_consumer;

const PARAMETER: &str = "session";

/// Exchanges the code for the session cookie and redirects to the page without it. An invalid code is removed as well.
///
/// Returns `None` if the page has no code, if another consumer is signed in, if accounts is unavailable, or at the limit of
/// requests in progress. The app then exchanges the code itself, after the consumer has confirmed to switch accounts.
pub(super) async fn redirect(gateway: &Gateway, parts: &Parts) -> Option<Response> {
    let (code, location) = split_code(&parts.uri)?;
    let _admitted = gateway.admission.try_admit()?;
    let context = CallContext::of_gateway(parts);
    let current = find_optional_consumer(gateway, parts).await.ok()?;
    let code = Exchange {
        code,
        current: current.map(|consumer| consumer.id),
        replaces_consumer: false,
    };
    let exchanged = exchange(gateway, &context, &parts.headers, code).await;
    let token = match exchanged {
        Ok(verified) => Some(verified.session_token),
        Err(error) if error.error.code == ErrorCode::RuleViolation => None,
        Err(error) => {
            tracing::info!(reason = %error.error.reason, "hand-over code left to the app");
            return None;
        }
    };
    let headers = [
        (LOCATION, HeaderValue::try_from(location).ok()?),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    let mut response = (StatusCode::SEE_OTHER, headers).into_response();
    if let Some(token) = token {
        replace_session(gateway, &context, &parts.headers, &token, response.headers_mut()).await;
    }
    Some(response)
}

/// Returns the code, and the path and query without it. `None` without a code, and for paths that browsers take for
/// another host.
fn split_code(uri: &Uri) -> Option<(String, String)> {
    let path = uri.path();
    if path.starts_with("//") || path.contains('\\') {
        return None;
    }
    let (codes, others): (Vec<_>, Vec<_>) =
        url::form_urlencoded::parse(uri.query()?.as_bytes()).partition(|(name, _)| name == PARAMETER);
    let (_, code) = codes.into_iter().next()?;
    let others = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(others)
        .finish();
    let separator = if others.is_empty() { "" } else { "?" };
    Some((code.into_owned(), format!("{path}{separator}{others}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(uri: &'static str) -> Option<(String, String)> {
        split_code(&Uri::from_static(uri))
    }

    #[test]
    fn only_the_code_is_removed_from_the_address() {
        let pair = |code: &str, location: &str| Some((code.to_owned(), location.to_owned()));
        assert_eq!(split("/?session=abc"), pair("abc", "/"));
        assert_eq!(
            split("/menu?a=1&session=abc&b=x%26y"),
            pair("abc", "/menu?a=1&b=x%26y")
        );
        assert_eq!(split("/menu?session=abc&session=def"), pair("abc", "/menu"));
        assert_eq!(split("/menu?sessions=abc"), None);
        assert_eq!(split("/menu"), None);
    }

    #[test]
    fn a_path_that_names_another_host_is_not_a_target() {
        assert_eq!(split("//evil.example/?session=abc"), None);
    }
}
