//! The page for a route of the app.

use std::time::Duration;

use axum::response::{Html, IntoResponse, Response};
use http::HeaderValue;
use http::header::CACHE_CONTROL;
use proto::stores::v1 as stores;

use super::page_template::PageMeta;
use crate::context::CallContext;
use crate::gateway::Gateway;

const TITLE: &str = "Order Ahead";
const DESCRIPTION: &str = "Order your coffee ahead, pay in the app and skip the line.";
const IMAGE: &str = "/icon-512.png";
/// Maximum time that the page waits for the store's name.
const STORE_TIMEOUT: Duration = Duration::from_millis(300);

/// Renders the page for a path, or returns `None` without a build.
pub(super) async fn render(gateway: &Gateway, context: &CallContext, path: &str) -> Option<Response> {
    let site = &gateway.site;
    let template = site.page.as_ref()?;
    let meta = match store_id_of(path) {
        Some(store_id) => store_meta(gateway, context, store_id).await,
        None => None,
    };
    let meta = meta.unwrap_or_else(default_meta);
    let (url, image) = (
        format!("{}{path}", site.origin),
        format!("{}{IMAGE}", site.origin),
    );
    let html = template.render(&meta, &url, &image, site.build_id());
    let mut response = Html(html).into_response();
    let headers = response.headers_mut();
    headers.extend(site.headers.clone());
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Some(response)
}

fn store_id_of(path: &str) -> Option<&str> {
    path.strip_prefix("/store/")?.split('/').next()
}

async fn store_meta(gateway: &Gateway, context: &CallContext, store_id: &str) -> Option<PageMeta> {
    let request = stores::GetStoreRequest {
        store_id: store_id.to_owned(),
        position: None,
    };
    let mut client = gateway.clients.stores(context);
    let response = tokio::time::timeout(STORE_TIMEOUT, client.get_store(request)).await;
    let store = response.ok()?.ok()?.into_inner();
    Some(PageMeta {
        title: format!("{} · {}", store.name, store.company_name),
        description: format!(
            "Order ahead at {}, {}. {}",
            store.street, store.city, store.hours_today
        ),
    })
}

fn default_meta() -> PageMeta {
    PageMeta {
        title: TITLE.to_owned(),
        description: DESCRIPTION.to_owned(),
    }
}
