//! The two cookies: the session, and the device that codes are asked for from.

use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue};

use crate::config::Front;

/// Holds the session token.
pub const SESSION: &str = "session";
/// Holds a random id: a device that signed in before has a count of tries of its own.
pub const DEVICE: &str = "device";

const NINETY_DAYS: u64 = 90 * 24 * 3600;

/// The value of a cookie that a request carries.
#[must_use]
pub fn read<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .flat_map(|header| header.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(found, value)| *found == name && !value.is_empty())
        .map(|(_, value)| value)
}

/// Sets a cookie that no script can read and no other site can send with a state-changing call.
pub fn set(headers: &mut HeaderMap, front: &Front, name: &str, value: &str) {
    write(headers, front, name, value, NINETY_DAYS);
}

/// Removes it.
pub fn remove(headers: &mut HeaderMap, front: &Front, name: &str) {
    write(headers, front, name, "", 0);
}

fn write(headers: &mut HeaderMap, front: &Front, name: &str, value: &str, seconds: u64) {
    let secure = if front.secure() { "; Secure" } else { "" };
    let domain = front.cookie_domain.as_ref().filter(|domain| !domain.is_empty());
    let domain = domain
        .map(|domain| format!("; Domain={domain}"))
        .unwrap_or_default();
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}{domain}");
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

    fn front(origin: &str, domain: Option<&str>) -> Front {
        Front {
            listen: ([127, 0, 0, 1], 0).into(),
            client_patience_seconds: 1,
            public_origin: origin.to_owned(),
            cookie_domain: domain.map(str::to_owned),
            trusted_proxies: String::new(),
        }
    }

    fn written(front: &Front) -> String {
        let mut headers = HeaderMap::new();
        set(&mut headers, front, SESSION, "token");
        headers[SET_COOKIE].to_str().unwrap().to_owned()
    }

    #[test]
    fn is_for_the_parent_domain_and_secure_outside_development() {
        assert_eq!(
            written(&front("https://app.example.com", Some("example.com"))),
            "session=token; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure; Domain=example.com"
        );
        assert_eq!(
            written(&front("http://127.0.0.1:7080", None)),
            "session=token; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax"
        );
    }

    #[test]
    fn finds_its_own_among_others() {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_static("a=1; session=tok; xsession=no"));
        assert_eq!(read(&headers, SESSION), Some("tok"));
        assert_eq!(read(&headers, DEVICE), None);
    }
}
