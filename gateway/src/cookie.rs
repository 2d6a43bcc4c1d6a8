//! The cookies: the session token, the device id and the session token of a store's staff.

use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue};
use uuid::Uuid;

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

/// Browsers keep a cookie for up to 400 days, and accounts knows a device that long.
const KNOWN_DEVICE: Scope = Scope {
    max_age_seconds: 400 * 24 * 3600,
    ..APP
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

/// Sets the cookie of the device. It outlives the session, so that the device is still known when the consumer signs in again.
pub(crate) fn set_device(headers: &mut HeaderMap, config: &HttpConfig, device: Uuid) {
    append(headers, config, DEVICE, &device.to_string(), KNOWN_DEVICE);
}

/// Returns the id of the device, if it has a valid cookie.
pub(crate) fn device(headers: &HeaderMap) -> Option<Uuid> {
    get(headers, DEVICE)?.parse().ok()
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
    let domain = config
        .cookie_domain
        .as_deref()
        .filter(|domain| scope.is_shared && !domain.is_empty());
    if domain.is_some() {
        // A browser may have the cookie from before `COOKIE_DOMAIN` was set. That one is of the host only, and would be sent
        // first. It is removed first, because old browsers take both for one cookie if the domain is the host itself.
        let removed = Scope {
            max_age_seconds: 0,
            ..scope
        };
        append_line(headers, config, name, "", removed, None);
    }
    append_line(headers, config, name, value, scope, domain);
}

fn append_line(
    headers: &mut HeaderMap,
    config: &HttpConfig,
    name: &str,
    value: &str,
    scope: Scope,
    domain: Option<&str>,
) {
    let Scope {
        path,
        same_site,
        max_age_seconds,
        is_shared: _,
    } = scope;
    let secure = if config.is_https() { "; Secure" } else { "" };
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

    fn cookies(change: impl FnOnce(&mut HeaderMap)) -> Vec<String> {
        let mut headers = HeaderMap::new();
        change(&mut headers);
        let lines = headers.get_all(SET_COOKIE).iter();
        lines.map(|line| line.to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn cookies_are_secure_over_https() {
        let https = HttpConfig::for_test("https://app.example.com", None);
        assert_eq!(
            cookies(|headers| set(headers, &https, SESSION, "token")),
            ["session=token; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure"]
        );
        let http = HttpConfig::for_test("http://127.0.0.1:7080", None);
        assert_eq!(
            cookies(|headers| set(headers, &http, SESSION, "token")),
            ["session=token; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax"]
        );
    }

    #[test]
    fn a_cookie_of_the_parent_domain_replaces_the_one_of_the_host() {
        let config = HttpConfig::for_test("https://app.example.com", Some("example.com"));
        let of_host = "session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure";
        assert_eq!(
            cookies(|headers| set(headers, &config, SESSION, "token")),
            [
                of_host,
                "session=token; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure; Domain=example.com"
            ]
        );
        assert_eq!(
            cookies(|headers| remove(headers, &config, SESSION)),
            [of_host, &format!("{of_host}; Domain=example.com")]
        );
    }

    #[test]
    fn the_cookie_of_a_device_is_valid_for_400_days() {
        let mut headers = HeaderMap::new();
        let config = HttpConfig::for_test("http://127.0.0.1:7080", None);
        set_device(&mut headers, &config, Uuid::nil());
        assert_eq!(
            headers[SET_COOKIE],
            "device=00000000-0000-0000-0000-000000000000; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax"
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
