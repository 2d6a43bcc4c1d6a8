//! The routes of the web app.

use std::path::Path;

/// Written by the build of the web app.
const FILE_NAME: &str = "routes.json";

/// Route patterns such as `/store/$storeId/menu`, or `/lp/$` for that path and all below it.
#[derive(Debug)]
pub(super) struct AppRoutes(Vec<String>);

impl AppRoutes {
    /// Reads the list of a build. Old builds have no list.
    pub(super) fn load(folder: &Path) -> anyhow::Result<Option<Self>> {
        let file = folder.join(FILE_NAME);
        if !file.exists() {
            tracing::warn!(file = %file.display(), "build of the web app has no list of routes; build it again");
            return Ok(None);
        }
        Ok(Some(Self(serde_json::from_slice(&std::fs::read(file)?)?)))
    }

    /// Returns whether the app has a screen at a path. Like the app's router, this ignores case and a trailing slash.
    pub(super) fn contains(&self, path: &str) -> bool {
        let path = path.strip_suffix('/').unwrap_or(path);
        self.0
            .iter()
            .any(|pattern| matches(pattern.strip_suffix('/').unwrap_or(pattern), path))
    }
}

fn matches(pattern: &str, path: &str) -> bool {
    let mut segments = path.split('/');
    for expected in pattern.split('/') {
        if expected == "$" {
            return true;
        }
        let is_match = match segments.next() {
            Some(segment) if expected.contains('$') => !segment.is_empty(),
            Some(segment) => segment.eq_ignore_ascii_case(expected),
            None => false,
        };
        if !is_match {
            return false;
        }
    }
    segments.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_matched_segment_by_segment() {
        let list = ["/", "/orders", "/orders/$orderId", "/lp/$", "/lp/error"];
        let routes = AppRoutes(list.map(str::to_owned).to_vec());
        for route in ["/", "/orders", "/Orders/", "/orders/ord_1", "/lp/a/b", "/lp"] {
            assert!(routes.contains(route), "{route}");
        }
        for other in [
            "//",
            "/order",
            "/orders//",
            "/orders/ord_1/x",
            "/x/orders",
            "/lpx",
        ] {
            assert!(!routes.contains(other), "{other}");
        }
    }
}
