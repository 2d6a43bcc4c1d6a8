//! The cookies: the session token and the device id.

use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue};

use crate::config::HttpConfig;

/// Name of the cookie with the session token.
pub(crate) const SESSION: &str = "session";
/// Name of the cookie with a random device id. A device that signed in before has its own attempt limit.
pub(crate) const DEVICE: &str = "device";

const MAX_AGE_SECONDS: u64 = 90 * 24 * 3600;

/// Returns the value of a cookie, or `None` if it is missing or empty.
pub(crate) fn get<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .flat_map(|header| header.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(cookie, value)| *cookie == name && !value.is_empty())
        .map(|(_, value)| value)
}

/// Sets a cookie that scripts cannot read and that other sites cannot send with a state-changing call.
pub(crate) fn set(headers: &mut HeaderMap, config: &HttpConfig, name: &str, value: &str) {
    append(headers, config, name, value, MAX_AGE_SECONDS);
}

pub(crate) fn remove(headers: &mut HeaderMap, config: &HttpConfig, name: &str) {
    append(headers, config, name, "", 0);
}

fn append(headers: &mut HeaderMap, config: &HttpConfig, name: &str, value: &str, max_age_seconds: u64) {
    let secure = if config.is_https() { "; Secure" } else { "" };
    let domain = config.cookie_domain.as_ref().filter(|domain| !domain.is_empty());
    let domain = domain
        .map(|domain| format!("; Domain={domain}"))
        .unwrap_or_default();
    let cookie =
        format!("{name}={value}; Path=/; Max-Age={max_age_seconds}; HttpOnly; SameSite=Lax{secure}{domain}");
    match HeaderValue::try_from(cookie) {
        Ok(cookie) => {
            headers.append(SET_COOKIE, cookie);
        }
        Err(error) => tracing::error!(name, %error, "cookie not set"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session_cookie(config: &HttpConfig) -> String {
        let mut headers = HeaderMap::new();
        set(&mut headers, config, SESSION, "token");
        headers[SET_COOKIE].to_str().unwrap().to_owned()
    }

    #[test]
    fn cookies_are_secure_over_https_and_valid_for_the_parent_domain() {
        assert_eq!(
            session_cookie(&HttpConfig::for_test(
                "https://app.example.com",
                Some("example.com")
            )),
            "session=token; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure; Domain=example.com"
        );
        assert_eq!(
            session_cookie(&HttpConfig::for_test("http://127.0.0.1:7080", None)),
            "session=token; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax"
        );
    }

    #[test]
    fn finds_a_cookie_among_others() {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_static("a=1; session=tok; xsession=no"));
        assert_eq!(get(&headers, SESSION), Some("tok"));
        assert_eq!(get(&headers, DEVICE), None);
    }
}
