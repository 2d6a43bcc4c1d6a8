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
/// How long a page waits for the name of its store.
const PATIENCE: Duration = Duration::from_millis(300);

/// What a shared link unfurls to.
#[derive(Debug, PartialEq, Eq)]
struct About {
    title: String,
    description: String,
}

/// The page for a route; none without a build.
pub(super) async fn serve(gateway: &Gateway, call: &Call, path: &str) -> Option<Response> {
    let (head, rest) = gateway.site.page.as_ref()?;
    let about = about(gateway, call, path).await;
    let written = write(
        &about,
        &format!("{}{path}", gateway.site.origin),
        gateway.site.build_id(),
    );
    let head = match title(head) {
        Some((before, after)) => format!("{before}<title>{}</title>{after}", escape(&about.title)),
        None => head.clone(),
    };
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

fn title(head: &str) -> Option<(&str, &str)> {
    let (before, rest) = head.split_once("<title>")?;
    let (_, after) = rest.split_once("</title>")?;
    Some((before, after))
}

fn write(about: &About, url: &str, build_id: &str) -> String {
    let (title, description, url) = (escape(&about.title), escape(&about.description), escape(url));
    format!(
        "<meta name=\"build-id\" content=\"{build_id}\">\
         <meta name=\"description\" content=\"{description}\">\
         <meta property=\"og:type\" content=\"website\">\
         <meta property=\"og:title\" content=\"{title}\">\
         <meta property=\"og:description\" content=\"{description}\">\
         <meta property=\"og:url\" content=\"{url}\">"
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
        let written = write(&about, "http://x/<", "abc");
        assert!(!written.contains("<script>") && written.contains("a &amp; b") && !written.contains("x/<"));
    }

    #[test]
    fn the_title_of_the_build_gives_way() {
        assert_eq!(title("a<title>Old</title>b"), Some(("a", "b")));
        assert_eq!(title("nothing"), None);
    }
}
