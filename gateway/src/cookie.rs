//! The cookies: the session token, the device id and the session token of a store's staff.

use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue};

use crate::config::HttpConfig;

/// Name of the cookie with the session token.
pub(crate) const SESSION: &str = "session";
/// Name of the cookie with a random device id. A device that signed in before has its own attempt limit.
pub(crate) const DEVICE: &str = "device";

/// Name of the cookie with the session token of a store's staff.
pub(crate) const STAFF: &str = "staff";

/// The attributes that differ between the cookies.
#[derive(Debug, Clone, Copy)]
struct Scope {
    path: &'static str,
    same_site: &'static str,
    max_age_seconds: u64,
    /// Whether the cookie is sent to the whole `COOKIE_DOMAIN`.
    is_shared: bool,
}

const APP: Scope = Scope {
    path: "/",
    same_site: "Lax",
    max_age_seconds: 90 * 24 * 3600,
    is_shared: true,
};

const STORE_API: Scope = Scope {
    path: "/store-api",
    same_site: "Strict",
    max_age_seconds: 12 * 3600,
    is_shared: false,
};

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

/// Sets a cookie that is hidden from scripts and not sent with state-changing calls of other sites.
pub(crate) fn set(headers: &mut HeaderMap, config: &HttpConfig, name: &str, value: &str) {
    append(headers, config, name, value, APP);
}

pub(crate) fn remove(headers: &mut HeaderMap, config: &HttpConfig, name: &str) {
    let scope = Scope {
        max_age_seconds: 0,
        ..APP
    };
    append(headers, config, name, "", scope);
}

/// Sets the staff cookie. Browsers send it only to the store API, and never with a request of another site.
pub(crate) fn set_staff(headers: &mut HeaderMap, config: &HttpConfig, token: &str) {
    append(headers, config, STAFF, token, STORE_API);
}

pub(crate) fn remove_staff(headers: &mut HeaderMap, config: &HttpConfig) {
    let scope = Scope {
        max_age_seconds: 0,
        ..STORE_API
    };
    append(headers, config, STAFF, "", scope);
}

fn append(headers: &mut HeaderMap, config: &HttpConfig, name: &str, value: &str, scope: Scope) {
    let Scope {
        path,
        same_site,
        max_age_seconds,
        is_shared,
    } = scope;
    let secure = if config.is_https() { "; Secure" } else { "" };
    let domain = config
        .cookie_domain
        .as_ref()
        .filter(|domain| is_shared && !domain.is_empty());
    let domain = domain
        .map(|domain| format!("; Domain={domain}"))
        .unwrap_or_default();
    let cookie = format!(
        "{name}={value}; Path={path}; Max-Age={max_age_seconds}; HttpOnly; SameSite={same_site}{secure}{domain}"
    );
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
    fn the_staff_cookie_is_sent_only_to_the_store_api_of_the_same_site() {
        let config = HttpConfig::for_test("https://app.example.com", Some("example.com"));
        let mut headers = HeaderMap::new();
        set_staff(&mut headers, &config, "token");
        assert_eq!(
            headers[SET_COOKIE],
            "staff=token; Path=/store-api; Max-Age=43200; HttpOnly; SameSite=Strict; Secure"
        );
        headers.clear();
        remove_staff(&mut headers, &config);
        assert_eq!(
            headers[SET_COOKIE],
            "staff=; Path=/store-api; Max-Age=0; HttpOnly; SameSite=Strict; Secure"
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
