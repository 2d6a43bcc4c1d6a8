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

    /// Returns whether the app has a screen at a path.
    pub(super) fn contains(&self, path: &str) -> bool {
        self.0.iter().any(|pattern| match_path(pattern, path).is_some())
    }
}

/// Returns the parameters of a path, such as `("$storeId", "str_1")`, or `None` if it does not match the pattern. Like the
/// app's router, this ignores case and a trailing slash.
pub(super) fn match_path<'a>(pattern: &'a str, path: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let mut segments = path.strip_suffix('/').unwrap_or(path).split('/');
    let mut parameters = Vec::new();
    for expected in pattern.strip_suffix('/').unwrap_or(pattern).split('/') {
        if expected == "$" {
            return Some(parameters);
        }
        let segment = segments.next()?;
        if expected.contains('$') {
            if segment.is_empty() {
                return None;
            }
            parameters.push((expected, segment));
        } else if !segment.eq_ignore_ascii_case(expected) {
            return None;
        }
    }
    segments.next().is_none().then_some(parameters)
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
