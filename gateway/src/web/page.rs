//! The page for a route of the app.

use std::time::Duration;

use axum::response::{Html, IntoResponse, Response};
use http::header::{CACHE_CONTROL, LINK};
use http::request::Parts;
use http::{HeaderMap, HeaderValue};
use proto::stores::v1 as stores;

use super::page_template::{PageContent, PageMeta};
use super::pages::Page;
use crate::context::CallContext;
use crate::cookie;
use crate::gateway::Gateway;

const TITLE: &str = "Order Ahead";
const DESCRIPTION: &str = "Order your coffee ahead, pay in the app and skip the line.";
const IMAGE: &str = "/icon-512.png";
/// Maximum time that the page waits for the name of a store or a company.
const NAME_TIMEOUT: Duration = Duration::from_millis(300);

/// Renders the page for a request, or returns `None` without a build.
pub(super) async fn render(gateway: &Gateway, parts: &Parts) -> Option<Response> {
    let site = &gateway.site;
    let template = site.page.as_ref()?;
    let path = parts.uri.path();
    let page = site.pages.find(path);
    let meta = record_meta(gateway, &CallContext::of_gateway(parts), path).await;
    let meta = meta.unwrap_or_else(|| page.map_or_else(default_meta, page_meta));
    let has_session = cookie::get(&parts.headers, cookie::SESSION).is_some();
    let html = template.render(&PageContent {
        meta: &meta,
        url: &format!("{}{path}", site.origin),
        image: &format!("{}{IMAGE}", site.origin),
        build_id: site.build_id(),
        app_config: &site.app_config,
        has_session,
        first_paint: page.map_or("", |page| page.first_paint(has_session)),
    });
    let mut response = Html(html).into_response();
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

/// Returns title and description from the record that the page shows, or `None` for other pages and if the record cannot be
/// loaded.
async fn record_meta(gateway: &Gateway, context: &CallContext, path: &str) -> Option<PageMeta> {
    let mut segments = path.split('/').skip(1);
    let (area, id) = (segments.next()?, segments.next()?);
    match area {
        "store" => store_meta(gateway, context, id).await,
        "company" => company_meta(gateway, context, id).await,
        _ => None,
    }
}

async fn store_meta(gateway: &Gateway, context: &CallContext, store_id: &str) -> Option<PageMeta> {
    let request = stores::GetStoreRequest {
        store_id: store_id.to_owned(),
        position: None,
    };
    let mut client = gateway.clients.stores(context);
    let response = tokio::time::timeout(NAME_TIMEOUT, client.get_store(request)).await;
    let store = response.ok()?.ok()?.into_inner();
    Some(PageMeta {
        title: format!("{} · {}", store.name, store.company_name),
        description: format!(
            "Order ahead at {}, {}. {}",
            store.street, store.city, store.hours_today
        ),
    })
}

async fn company_meta(gateway: &Gateway, context: &CallContext, company_id: &str) -> Option<PageMeta> {
    let request = stores::GetCompanyRequest {
        company_id: company_id.to_owned(),
    };
    let mut client = gateway.clients.stores(context);
    let response = tokio::time::timeout(NAME_TIMEOUT, client.get_company(request)).await;
    let company = response.ok()?.ok()?.into_inner();
    let description = if company.description.is_empty() {
        format!("Order ahead at {}.", company.name)
    } else {
        company.description
    };
    Some(PageMeta {
        title: format!("{} · {TITLE}", company.name),
        description,
    })
}

fn page_meta(page: &Page) -> PageMeta {
    PageMeta {
        title: page.title.clone(),
        description: page.description.clone(),
    }
}

fn default_meta() -> PageMeta {
    PageMeta {
        title: TITLE.to_owned(),
        description: DESCRIPTION.to_owned(),
    }
}
