//! Push subscriptions of devices.

use reqwest::Url;
use web_push_native::p256::PublicKey;

/// Longer than the addresses of the push services of browsers, and tokens of native apps.
const MAX_ENDPOINT_BYTES: usize = 2_048;
const AUTH_BYTES: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushSubscription {
    Web {
        endpoint: String,
        /// Uncompressed point on P-256.
        p256dh: Vec<u8>,
        /// 16 bytes.
        auth: Vec<u8>,
    },
    Native {
        token: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid push subscription")]
pub struct InvalidSubscription;

impl PushSubscription {
    /// # Errors
    /// The address does not belong to a known push service, or a key is invalid.
    pub fn web(
        endpoint: String,
        p256dh: Vec<u8>,
        auth: Vec<u8>,
        hosts: &PushHosts,
    ) -> Result<Self, InvalidSubscription> {
        let is_valid = endpoint.len() <= MAX_ENDPOINT_BYTES
            && Url::parse(&endpoint).is_ok_and(|url| hosts.contains(&url))
            && PublicKey::from_sec1_bytes(&p256dh).is_ok()
            && auth.len() == AUTH_BYTES;
        is_valid
            .then_some(Self::Web {
                endpoint,
                p256dh,
                auth,
            })
            .ok_or(InvalidSubscription)
    }

    /// # Errors
    /// The token is empty, too long, or contains spaces or control characters.
    pub fn native(token: String) -> Result<Self, InvalidSubscription> {
        let is_valid = (1..=MAX_ENDPOINT_BYTES).contains(&token.len())
            && token.bytes().all(|byte| byte.is_ascii_graphic());
        is_valid
            .then_some(Self::Native { token })
            .ok_or(InvalidSubscription)
    }

    #[must_use]
    pub fn endpoint(&self) -> &str {
        match self {
            Self::Web { endpoint, .. } => endpoint,
            Self::Native { token } => token,
        }
    }
}

/// Hosts of push services. Consumers choose the address of their subscription, and this service sends requests to it: other
/// hosts, for example of the internal network, are not allowed.
#[derive(Debug, Clone)]
pub struct PushHosts(Vec<String>);

impl PushHosts {
    /// Hosts separated by commas, which include their subdomains. Origins such as `http://127.0.0.1:7000` are allowed for
    /// tests.
    #[must_use]
    pub fn parse(setting: &str) -> Self {
        Self(
            setting
                .split(',')
                .map(|host| host.trim().to_ascii_lowercase())
                .filter(|host| !host.is_empty())
                .collect(),
        )
    }

    fn contains(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let origin = url.origin().ascii_serialization();
        self.0.iter().any(|allowed| {
            if allowed.contains("://") {
                return *allowed == origin;
            }
            let is_host = host
                .strip_suffix(allowed.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
            is_host && url.scheme() == "https" && url.port().is_none()
        })
    }
}

#[cfg(test)]
mod tests {
    use web_push_native::p256::{SecretKey, elliptic_curve::sec1::ToEncodedPoint};

    use super::*;

    #[test]
    fn only_push_services_are_called() {
        let hosts = PushHosts::parse("fcm.googleapis.com, push.apple.com,http://127.0.0.1:7000");
        let allows = |url: &str| hosts.contains(&Url::parse(url).unwrap());
        for url in [
            "https://fcm.googleapis.com/fcm/send/1",
            "https://web.push.apple.com/Q",
            "http://127.0.0.1:7000/push",
        ] {
            assert!(allows(url), "{url}");
        }
        for url in [
            "http://fcm.googleapis.com/fcm/send/1",
            "https://fcm.googleapis.com:8443/",
            "https://notfcm.googleapis.com/",
            "https://fcm.googleapis.com.example.com/",
            "https://fcm.googleapis.com@10.0.0.1/",
            "http://127.0.0.1:7001/push",
            "https://169.254.169.254/latest",
        ] {
            assert!(!allows(url), "{url}");
        }
    }

    #[test]
    fn keys_are_checked() {
        let hosts = PushHosts::parse("push.apple.com");
        let point = SecretKey::from_slice(&[7; 32]).unwrap().public_key();
        let point = point.to_encoded_point(false).as_bytes().to_vec();
        let web = |p256dh: &[u8], auth: &[u8]| {
            let endpoint = "https://web.push.apple.com/Q".to_owned();
            PushSubscription::web(endpoint, p256dh.to_vec(), auth.to_vec(), &hosts)
        };
        assert!(web(&point, &[1; 16]).is_ok());
        assert!(web(&point, &[1; 15]).is_err());
        assert!(web(&[4; 65], &[1; 16]).is_err());
        assert!(PushSubscription::native(String::new()).is_err());
        assert!(PushSubscription::native("a b".to_owned()).is_err());
        assert!(PushSubscription::native("fGx:APA91b".to_owned()).is_ok());
    }
}
