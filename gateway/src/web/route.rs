//! Which addresses are the app's own, and who is to get its page there.

use std::path::Path;

use http::HeaderMap;
use http::header::ACCEPT;

/// Written by the build beside the page.
const LIST: &str = "routes.json";

/// The routes of the app, as its build lists them: `/store/$storeId/menu`, and `/lp/$` for that and whatever stands below.
#[derive(Debug)]
pub(super) struct Routes(Vec<String>);

impl Routes {
    /// The list of a build; none where it was built before there was one.
    ///
    /// # Errors
    /// A list that is none.
    pub(super) fn load(folder: &Path) -> anyhow::Result<Option<Self>> {
        let list = folder.join(LIST);
        if !list.exists() {
            tracing::warn!(list = %list.display(), "the web app does not list its routes; build it anew");
            return Ok(None);
        }
        Ok(Some(Self(serde_json::from_slice(&std::fs::read(list)?)?)))
    }

    /// Whether a screen stands at a path. The app minds neither case nor a slash at the end.
    pub(super) fn has(&self, path: &str) -> bool {
        let path = path.strip_suffix('/').unwrap_or(path);
        self.0
            .iter()
            .any(|route| leads_to(route.strip_suffix('/').unwrap_or(route), path))
    }
}

fn leads_to(route: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    for wanted in route.split('/') {
        if wanted == "$" {
            return true;
        }
        let found = match parts.next() {
            Some(part) if wanted.contains('$') => !part.is_empty(),
            Some(part) => part.eq_ignore_ascii_case(wanted),
            None => false,
        };
        if !found {
            return false;
        }
    }
    parts.next().is_none()
}

/// What a client takes for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wants {
    /// Names HTML: a browser that opens an address.
    Html,
    /// Anything: what unfurls a link, or follows one without a screen.
    Anything,
    /// Something else.
    Other,
}

impl Wants {
    /// What the `Accept` headers say.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut lines = headers.get_all(ACCEPT).iter().peekable();
        if lines.peek().is_none() {
            return Self::Anything;
        }
        let kinds = lines
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(','))
            .filter(|range| !is_refused(range));
        let mut wants = Self::Other;
        for range in kinds {
            let kind = range.split(';').next().unwrap_or_default().trim();
            if kind.eq_ignore_ascii_case("text/html") {
                return Self::Html;
            }
            if kind == "*/*" || kind.eq_ignore_ascii_case("text/*") {
                wants = Self::Anything;
            }
        }
        wants
    }
}

/// A weight of nothing is a no.
fn is_refused(range: &str) -> bool {
    let weight = range
        .split(';')
        .skip(1)
        .find_map(|part| part.trim().strip_prefix("q="));
    weight.and_then(|weight| weight.trim().parse().ok()) == Some(0.0_f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn a_path_is_a_route_part_by_part() {
        let list = ["/", "/orders", "/orders/$orderId", "/lp/$", "/lp/error"];
        let routes = Routes(list.map(str::to_owned).to_vec());
        for route in ["/", "/orders", "/Orders/", "/orders/ord_1", "/lp/a/b", "/lp"] {
            assert!(routes.has(route), "{route}");
        }
        for other in [
            "//",
            "/order",
            "/orders//",
            "/orders/ord_1/x",
            "/x/orders",
            "/lpx",
        ] {
            assert!(!routes.has(other), "{other}");
        }
    }

    #[test]
    fn only_browsers_name_html() {
        let wants = |accept: &'static str| {
            Wants::of(&HeaderMap::from_iter([(
                ACCEPT,
                HeaderValue::from_static(accept),
            )]))
        };
        assert_eq!(Wants::of(&HeaderMap::new()), Wants::Anything);
        assert_eq!(wants("text/html,application/xhtml+xml,*/*;q=0.8"), Wants::Html);
        assert_eq!(wants("*/*"), Wants::Anything);
        assert_eq!(wants("image/avif,image/*,*/*;q=0.8"), Wants::Anything);
        for other in [
            "application/json",
            "text/html;q=0",
            "text/html; q=0.0, image/*",
            "",
        ] {
            assert_eq!(wants(other), Wants::Other, "{other}");
        }
    }
}
