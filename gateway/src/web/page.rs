//! The page of the app, with what does not run scripts wants to know written into its head.

use std::time::Duration;

use axum::response::{Html, IntoResponse, Response};
use http::HeaderValue;
use http::header::CACHE_CONTROL;
use proto::stores::v1 as stores;

use crate::caller::Call;
use crate::gateway::Gateway;

const TITLE: &str = "Order Ahead";
const DESCRIPTION: &str = "Order your coffee ahead, pay, and pick it up without the line.";
const IMAGE: &str = "/icon-512.png";
/// How long a page waits for the name of its store.
const PATIENCE: Duration = Duration::from_millis(300);

/// What a shared link unfurls to.
#[derive(Debug, PartialEq, Eq)]
struct About {
    title: String,
    description: String,
}

/// The page before and after what is written into its head. What the build says there for want of better gives way.
pub(super) fn split(html: &str) -> (String, String) {
    let (head, rest) = html.split_once("</head>").unwrap_or(("", html));
    let head = without(head, "<title>", "</title>");
    let head = without(&head, "<meta name=\"description\"", ">");
    let head = without(&head, "<meta name=\"build-id\"", ">");
    (head, format!("</head>{rest}"))
}

fn without(html: &str, from: &str, to: &str) -> String {
    let cut = html
        .split_once(from)
        .and_then(|(before, rest)| Some((before, rest.split_once(to)?.1)));
    cut.map_or_else(
        || html.to_owned(),
        |(before, after)| format!("{}{}", before.trim_end(), after),
    )
}

/// The page for a route; none without a build.
pub(super) async fn serve(gateway: &Gateway, call: &Call, path: &str) -> Option<Response> {
    let (head, rest) = gateway.site.page.as_ref()?;
    let about = about(gateway, call, path).await;
    let written = write(&about, &gateway.site.origin, path, gateway.site.build_id());
    let mut response = Html(format!("{head}{written}{rest}")).into_response();
    response.headers_mut().extend(gateway.site.headers.clone());
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Some(response)
}

async fn about(gateway: &Gateway, call: &Call, path: &str) -> About {
    if let Some(store_id) = path
        .strip_prefix("/store/")
        .and_then(|rest| rest.split('/').next())
    {
        let request = stores::GetStoreRequest {
            store_id: store_id.to_owned(),
            position: None,
        };
        let mut client = gateway.clients.stores(call);
        if let Ok(Ok(store)) = tokio::time::timeout(PATIENCE, client.get_store(request)).await {
            let store = store.into_inner();
            return About {
                title: format!("{} · {}", store.name, store.company_name),
                description: format!(
                    "Order ahead at {}, {}. {}",
                    store.street, store.city, store.hours_today
                ),
            };
        }
    }
    About {
        title: TITLE.to_owned(),
        description: DESCRIPTION.to_owned(),
    }
}

fn write(about: &About, origin: &str, path: &str, build_id: &str) -> String {
    let (title, description) = (escape(&about.title), escape(&about.description));
    let (url, image) = (
        escape(&format!("{origin}{path}")),
        escape(&format!("{origin}{IMAGE}")),
    );
    format!(
        "<title>{title}</title>\
         <meta name=\"build-id\" content=\"{build_id}\">\
         <meta name=\"description\" content=\"{description}\">\
         <meta property=\"og:type\" content=\"website\">\
         <meta property=\"og:title\" content=\"{title}\">\
         <meta property=\"og:description\" content=\"{description}\">\
         <meta property=\"og:url\" content=\"{url}\">\
         <meta property=\"og:image\" content=\"{image}\">"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_cannot_name_itself_a_script() {
        let about = About {
            title: "\"><script>".to_owned(),
            description: "a & b".to_owned(),
        };
        let written = write(&about, "http://x", "/<", "abc");
        assert!(!written.contains("<script>") && written.contains("a &amp; b") && !written.contains("x/<"));
    }

    #[test]
    fn what_the_build_says_gives_way() {
        let html = r#"<head><title>Old</title><meta name="description" content="x"><meta name="build-id" content=""></head><p>"#;
        assert_eq!(split(html), ("<head>".to_owned(), "</head><p>".to_owned()));
    }
}
