//! The page for a route of the app.

use axum::response::{Html, IntoResponse, Response};
use http::header::{CACHE_CONTROL, LINK};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode};

use super::page_template::{PageContent, PageMeta};
use super::pages::Page;
use super::record_meta::{IMAGE, LandingPageUnknown, TITLE, record_meta};
use crate::context::CallContext;
use crate::cookie;
use crate::gateway::Gateway;

const DESCRIPTION: &str = "Order your coffee ahead, pay in the app and skip the line.";

/// Renders the page for a request, or returns `None` without a build. The status is 404 if the landing page does not
/// exist: the app then shows that the page was not found.
pub(super) async fn render(gateway: &Gateway, parts: &Parts, status: StatusCode) -> Option<Response> {
    let site = &gateway.site;
    let template = site.page.as_ref()?;
    let path = parts.uri.path();
    let page = site.pages.find(path);
    let record = record_meta(gateway, &CallContext::of_gateway(parts), page, path).await;
    let (meta, status) = match record {
        Ok(meta) => (meta, status),
        Err(LandingPageUnknown) => (None, StatusCode::NOT_FOUND),
    };
    let meta = meta.unwrap_or_else(|| page.map_or_else(default_meta, page_meta));
    let has_session = cookie::get(&parts.headers, cookie::SESSION).is_some();
    let first_paint = page.map(|page| page.first_paint(has_session, meta.name.as_deref()));
    let html = template.render(&PageContent {
        meta: &meta,
        url: &format!("{}{path}", site.origin),
        image: &format!("{}/share/{}.jpg", site.origin, meta.image),
        build_id: site.build_id(),
        app_config: &site.app_config,
        has_session,
        first_paint: first_paint.as_deref().unwrap_or_default(),
    });
    let mut response = (status, Html(html)).into_response();
    let headers = response.headers_mut();
    headers.extend(site.headers.clone());
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Some(page) = page {
        append_preloads(headers, &page.preloads(path));
    }
    Some(response)
}

/// Lets the browser request the data of the page before the app has started.
fn append_preloads(headers: &mut HeaderMap, calls: &[String]) {
    for call in calls {
        let link = format!("<{call}>; rel=preload; as=fetch; crossorigin=use-credentials");
        if let Ok(link) = HeaderValue::try_from(link) {
            headers.append(LINK, link);
        }
    }
}

fn page_meta(page: &Page) -> PageMeta {
    PageMeta {
        title: page.title.clone(),
        description: page.description.clone(),
        image: match page.image.as_str() {
            "" => IMAGE.to_owned(),
            image => image.to_owned(),
        },
        name: None,
    }
}

fn default_meta() -> PageMeta {
    PageMeta {
        title: TITLE.to_owned(),
        description: DESCRIPTION.to_owned(),
        image: IMAGE.to_owned(),
        name: None,
    }
}
