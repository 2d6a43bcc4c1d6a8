//! Whether a client accepts the page.

use headers::HeaderMapExt;
use headers_accept::Accept;
use http::HeaderMap;
use mediatype::MediaType;
use mediatype::names::{HTML, TEXT};

const TEXT_HTML: MediaType<'_> = MediaType::new(TEXT, HTML);

/// How the `Accept` header covers HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageAcceptance {
    /// By name, as browsers do when they open an address.
    Html,
    /// By a wildcard, or by a missing or invalid header, as clients that show link previews do.
    Wildcard,
    /// Not at all.
    Other,
}

impl PageAcceptance {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let Some(accept) = headers.typed_get::<Accept>() else {
            return Self::Wildcard;
        };
        if accept.negotiate([&TEXT_HTML]).is_none() {
            return Self::Other;
        }
        let is_named = accept
            .media_types()
            .any(|range| range.ty() == TEXT && range.subty() == HTML);
        if is_named { Self::Html } else { Self::Wildcard }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http::header::ACCEPT;

    use super::*;

    fn acceptance(lines: &[&'static str]) -> PageAcceptance {
        let headers = lines.iter().map(|line| (ACCEPT, HeaderValue::from_static(line)));
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value);
        }
        PageAcceptance::of(&map)
    }

    #[test]
    fn only_browsers_name_html() {
        let browser = "text/html,application/xhtml+xml,*/*;q=0.8";
        assert_eq!(acceptance(&[browser]), PageAcceptance::Html);
        assert_eq!(acceptance(&["TEXT/HTML"]), PageAcceptance::Html);
        assert_eq!(
            acceptance(&["application/json", "text/html"]),
            PageAcceptance::Html
        );
        for wildcard in ["*/*", "image/avif,image/*,*/*;q=0.8", "text/*;q=0.5"] {
            assert_eq!(acceptance(&[wildcard]), PageAcceptance::Wildcard, "{wildcard}");
        }
        for other in [
            "application/json",
            "text/html;q=0",
            "text/html; q=0.0, image/*",
            "",
        ] {
            assert_eq!(acceptance(&[other]), PageAcceptance::Other, "{other}");
        }
    }

    #[test]
    fn a_missing_or_invalid_header_accepts_everything() {
        assert_eq!(acceptance(&[]), PageAcceptance::Wildcard);
        // The default of Java's HTTP client.
        let invalid = "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2";
        assert_eq!(acceptance(&[invalid]), PageAcceptance::Wildcard);
    }
}
