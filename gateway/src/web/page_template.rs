//! The page of the app with title, description and link preview for its address in the head.

use maud::{Markup, html};

/// The built page, split where the tags for the address are inserted.
#[derive(Debug)]
pub(super) struct PageTemplate {
    before: String,
    after: String,
}

/// The preview of a shared link.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PageMeta {
    pub(super) title: String,
    pub(super) description: String,
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
        Self {
            before: head,
            after: format!("</head>{rest}"),
        }
    }

    pub(super) fn render(&self, meta: &PageMeta, url: &str, image: &str, build_id: &str) -> String {
        let tags = head_tags(meta, url, image, build_id).into_string();
        format!("{}{tags}{}", self.before, self.after)
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

fn head_tags(meta: &PageMeta, url: &str, image: &str, build_id: &str) -> Markup {
    html! {
        title { (meta.title) }
        meta name="build-id" content=(build_id);
        meta name="description" content=(meta.description);
        meta property="og:type" content="website";
        meta property="og:title" content=(meta.title);
        meta property="og:description" content=(meta.description);
        meta property="og:url" content=(url);
        meta property="og:image" content=(image);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUILT: &str = r#"<head><title>Old</title><meta name="description" content="x"><meta name="build-id" content=""></head><p>"#;

    fn render(title: &str, url: &str) -> String {
        let meta = PageMeta {
            title: title.to_owned(),
            description: "a & b".to_owned(),
        };
        PageTemplate::new(BUILT).render(&meta, url, "http://x/icon.png", "abc")
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
        assert!(page.ends_with("</head><p>"));
        assert!(!page.contains("Old") && page.matches("name=\"description\"").count() == 1);
    }
}
