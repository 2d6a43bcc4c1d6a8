//! The page of the app with title, description and link preview for its address in the head.

use maud::{Markup, html};
use serde::{Deserialize, Serialize};

/// The element that the app renders into. The first paint is inserted before it.
const ROOT: &str = "<div id=\"root\">";

/// The built page, split where the tags for the address and the first paint are inserted.
#[derive(Debug)]
pub(super) struct PageTemplate {
    before: String,
    middle: String,
    after: String,
}

/// The preview of a shared link.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PageMeta {
    pub(super) title: String,
    pub(super) description: String,
    /// Name of a picture in `share/` of the build.
    pub(super) image: String,
    /// Name of the record that the page shows.
    pub(super) name: Option<String>,
}

/// What is inserted into the page.
#[derive(Debug)]
pub(super) struct PageContent<'a> {
    pub(super) meta: &'a PageMeta,
    pub(super) url: &'a str,
    pub(super) image: &'a str,
    pub(super) build_id: &'a str,
    /// The settings of the app as JSON.
    pub(super) app_config: &'a str,
    /// Whether the client sent a session cookie.
    pub(super) has_session: bool,
    /// HTML of the build.
    pub(super) first_paint: &'a str,
}

impl PageTemplate {
    /// Removes the tags that the build contains as defaults for those that are inserted.
    ///
    /// Cutting at strings is enough for a page that our own build writes. An HTML rewriter (`lol_html`) would add about 20
    /// crates and 25 seconds of compile time.
    pub(super) fn new(html: &str) -> Self {
        let (head, rest) = html.split_once("</head>").unwrap_or(("", html));
        let head = remove(head, "<title>", "</title>");
        let head = remove(&head, "<meta name=\"description\"", ">");
        let head = remove(&head, "<meta name=\"build-id\"", ">");
        let (middle, after) = rest.split_at(rest.find(ROOT).unwrap_or_default());
        Self {
            before: head,
            middle: format!("</head>{middle}"),
            after: after.to_owned(),
        }
    }

    pub(super) fn render(&self, content: &PageContent<'_>) -> String {
        let tags = head_tags(content).into_string();
        [
            &self.before,
            &tags,
            &self.middle,
            content.first_paint,
            &self.after,
        ]
        .concat()
    }
}

fn remove(html: &str, start: &str, end: &str) -> String {
    let parts = html
        .split_once(start)
        .and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    parts.map_or_else(
        || html.to_owned(),
        |(before, after)| format!("{}{after}", before.trim_end()),
    )
}

fn head_tags(content: &PageContent<'_>) -> Markup {
    let PageMeta {
        title, description, ..
    } = content.meta;
    html! {
        title { (title) }
        meta name="build-id" content=(content.build_id);
        meta name="app-config" content=(content.app_config);
        // Without a session the app does not request the profile, which would be a 401.
        @if !content.has_session { meta name="session" content="none"; }
        meta name="description" content=(description);
        meta property="og:type" content="website";
        meta property="og:title" content=(title);
        meta property="og:description" content=(description);
        meta property="og:url" content=(content.url);
        meta property="og:image" content=(content.image);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUILT: &str = r#"<head><title>Old</title><meta name="description" content="x"><meta name="build-id" content=""></head><body><div id="root"></div><p>"#;

    fn render(title: &str, url: &str) -> String {
        let meta = PageMeta {
            title: title.to_owned(),
            description: "a & b".to_owned(),
            image: String::new(),
            name: None,
        };
        let content = PageContent {
            meta: &meta,
            url,
            image: "http://x/icon.png",
            build_id: "abc",
            app_config: r#"{"appStoreUrl":"http://x/"}"#,
            has_session: false,
            first_paint: "<main>first</main>",
        };
        PageTemplate::new(BUILT).render(&content)
    }

    #[test]
    fn a_store_name_cannot_inject_html() {
        let page = render("\"><script>", "http://x/<");
        assert!(!page.contains("<script>") && page.contains("a &amp; b") && !page.contains("x/<"));
    }

    #[test]
    fn the_tags_of_the_build_are_replaced() {
        let page = render("New", "http://x/");
        assert!(page.starts_with("<head><title>New</title><meta name=\"build-id\" content=\"abc\">"));
        assert!(
            page.contains(r#"name="app-config" content="{&quot;appStoreUrl&quot;:&quot;http://x/&quot;}""#)
        );
        assert!(page.contains(r#"<meta name="session" content="none">"#));
        assert!(page.ends_with(r#"</head><body><main>first</main><div id="root"></div><p>"#));
        assert!(!page.contains("Old") && page.matches("name=\"description\"").count() == 1);
    }
}
