//! Devices that consumers sign in with.

use jiff::Timestamp;
use types::SessionId;

/// An active session and the device that it was started on.
#[derive(Debug)]
pub struct SignedInDevice {
    pub session_id: SessionId,
    /// Empty if unknown.
    pub device_name: String,
    pub signed_in_at: Timestamp,
    pub last_seen_at: Timestamp,
}

/// A device that signed in before and has no active session.
#[derive(Debug)]
pub struct KnownDevice {
    pub device_hash: Vec<u8>,
    /// Empty if unknown.
    pub name: String,
    pub last_signed_in_at: Timestamp,
}

/// Derives a device name from a user agent header, for example "Safari on iPhone". Empty if nothing is recognized.
///
/// Recognizes only common browsers and platforms. User agents contain the names of other browsers, so the order of the
/// checks matters.
#[must_use]
pub fn device_name(user_agent: &str) -> String {
    const BROWSERS: [(&str, &str); 7] = [
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"),
        ("CriOS/", "Chrome"),
        ("Chrome/", "Chrome"),
    ];
    const PLATFORMS: [(&str, &str); 8] = [
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("CrOS", "Chromebook"),
        ("Windows", "Windows"),
        ("Macintosh", "Mac"),
        ("Mac OS X", "Mac"),
        ("Linux", "Linux"),
    ];
    let first_match = |names: &[(&str, &'static str)]| {
        let found = names.iter().find(|(part, _)| user_agent.contains(part));
        found.map(|(_, name)| *name)
    };
    let is_safari = user_agent.contains("Safari/") && user_agent.contains("Version/");
    let browser = first_match(&BROWSERS).or(is_safari.then_some("Safari"));
    match (browser, first_match(&PLATFORMS)) {
        (Some(browser), Some(platform)) => format!("{browser} on {platform}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_named_after_browser_and_platform() {
        for (user_agent, name) in [
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0",
                "Firefox on Mac",
            ),
            // A web view in a native app.
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
                "iPhone",
            ),
            ("curl/8.0", ""),
            ("", ""),
        ] {
            assert_eq!(device_name(user_agent), name);
        }
    }
}
