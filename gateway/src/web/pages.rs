//! The description of the pages in the build of the web app: link previews, the data that a page loads, and its first paint.

use std::borrow::Cow;
use std::path::Path;

use maud::html;
use serde::Deserialize;

use super::app_routes::match_path;

/// Written by the build of the web app.
const FILE_NAME: &str = "pages.json";

/// Around the placeholder for the name of the record that a page shows, in its first paint.
const NAME_START: &str = "<!--name-->";
const NAME_END: &str = "<!--/name-->";

/// A page of the app.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page {
    /// Route pattern such as `/store/$storeId/menu`.
    path: String,
    pub(super) title: String,
    pub(super) description: String,
    /// Name of the picture of shared links; empty for that of the app.
    #[serde(default)]
    pub(super) image: String,
    /// Paths of the calls that the page makes first, with the parameters of the route: `…?storeId=$storeId`.
    #[serde(default)]
    preload: Vec<String>,
    /// HTML that is shown until the app has started, for consumers without and with a session.
    #[serde(default)]
    signed_out: String,
    #[serde(default)]
    signed_in: String,
}

/// Longer than an id with its prefix.
const MAX_ID_BYTES: usize = 64;

impl Page {
    /// Returns the first paint with the name of the record that the page shows, or with a placeholder.
    pub(super) fn first_paint(&self, has_session: bool, name: Option<&str>) -> Cow<'_, str> {
        let paint = if has_session {
            &self.signed_in
        } else {
            &self.signed_out
        };
        let named = name.and_then(|name| with_name(paint, name));
        named.map_or(Cow::Borrowed(paint), Cow::Owned)
    }

    /// Returns the calls to preload at a path of this page.
    pub(super) fn preloads(&self, path: &str) -> Vec<String> {
        let parameters = match_path(&self.path, path).unwrap_or_default();
        // Ids only: the app encodes other values in another way, and each value is a part of several headers.
        let is_id = |value: &str| {
            value.len() <= MAX_ID_BYTES
                && value
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        if !parameters.iter().all(|(_, value)| is_id(value)) {
            return Vec::new();
        }
        let fill = |call: &String| {
            parameters
                .iter()
                .fold(call.clone(), |call, (name, value)| call.replace(name, value))
        };
        self.preload.iter().map(fill).collect()
    }
}

/// Replaces the placeholder, or returns `None` without one.
fn with_name(paint: &str, name: &str) -> Option<String> {
    let (before, rest) = paint.split_once(NAME_START)?;
    let (_, after) = rest.split_once(NAME_END)?;
    let name = html! { (name) }.into_string();
    Some([before, &name, after].concat())
}

/// The pages of a build, the more specific patterns first.
#[derive(Debug, Default)]
pub(super) struct Pages(Vec<Page>);

impl Pages {
    /// Reads the pages of a build. Old builds have none.
    pub(super) fn load(folder: &Path) -> anyhow::Result<Self> {
        let file = folder.join(FILE_NAME);
        if !file.exists() {
            return Ok(Self::default());
        }
        Ok(Self(serde_json::from_slice(&std::fs::read(file)?)?))
    }

    pub(super) fn find(&self, path: &str) -> Option<&Page> {
        self.0.iter().find(|page| match_path(&page.path, path).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages() -> Pages {
        let json = r#"[
            {"path": "/lp/error", "title": "Error", "description": ""},
            {"path": "/lp/$", "title": "Landing", "description": ""},
            {"path": "/store/$storeId/menu", "title": "Menu", "description": "",
             "preload": ["/api/consumer/store/info?storeId=$storeId"], "signedOut": "<p><!--name-->…<!--/name--></p>", "signedIn": "<p>in"}]"#;
        Pages(serde_json::from_str(json).unwrap())
    }

    #[test]
    fn the_first_matching_page_is_found() {
        let pages = pages();
        for (path, title) in [
            ("/lp/error", Some("Error")),
            ("/lp/summer/x", Some("Landing")),
            ("/store/str_1/menu/", Some("Menu")),
            ("/unknown", None),
        ] {
            assert_eq!(pages.find(path).map(|page| page.title.as_str()), title, "{path}");
        }
    }

    #[test]
    fn preloads_have_the_parameters_of_the_path() {
        let pages = pages();
        let path = "/store/str_01h455vb4pex5vsknk084sn02q/menu";
        let page = pages.find(path).unwrap();
        assert_eq!(
            page.preloads(path),
            ["/api/consumer/store/info?storeId=str_01h455vb4pex5vsknk084sn02q"]
        );
        let long = format!("/store/{}/menu", "a".repeat(65));
        for other in ["/store/a>;rel=x/menu", "/store/%3C/menu", &long] {
            assert!(page.preloads(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn the_first_paint_has_the_name_of_the_record() {
        let pages = pages();
        let page = pages.find("/store/1/menu").unwrap();
        assert_eq!(page.first_paint(false, Some("Joe <3")), "<p>Joe &lt;3</p>");
        assert_eq!(page.first_paint(false, None), "<p><!--name-->…<!--/name--></p>");
        assert_eq!(page.first_paint(true, Some("Joe")), "<p>in");
    }
}
