//! The page for a route of the app.

use std::time::Duration;

use axum::response::{Html, IntoResponse, Response};
use http::header::{CACHE_CONTROL, LINK};
use http::request::Parts;
use http::{HeaderMap, HeaderValue};
use proto::rewards::v1 as rewards;
use proto::stores::v1 as stores;

use super::page_template::{PageContent, PageMeta};
use super::pages::Page;
use crate::context::CallContext;
use crate::cookie;
use crate::gateway::Gateway;

const TITLE: &str = "Order Ahead";
const DESCRIPTION: &str = "Order your coffee ahead, pay in the app and skip the line.";
/// The pictures of shared links, in the folder `share` of the build.
const IMAGE: &str = "order-ahead";
const STORE_IMAGE: &str = "store";
const COMPANY_IMAGE: &str = "company";
/// The slug of the page that share codes lead to.
const INACTIVE_USERS: &str = "inactive-users";
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
        "lp" => landing_meta(gateway, context, id).await,
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
        image: STORE_IMAGE.to_owned(),
        name: Some(store.name),
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
        image: COMPANY_IMAGE.to_owned(),
        name: Some(company.name),
    })
}

async fn landing_meta(gateway: &Gateway, context: &CallContext, slug: &str) -> Option<PageMeta> {
    let mut client = gateway.clients.rewards(context);
    let page = async {
        if slug == INACTIVE_USERS {
            let request = rewards::GetInactiveUsersPageRequest {};
            return client.get_inactive_users_page(request).await;
        }
        let url_slug = slug.to_owned();
        client
            .get_landing_page(rewards::GetLandingPageRequest { url_slug })
            .await
    };
    let hero = tokio::time::timeout(NAME_TIMEOUT, page)
        .await
        .ok()?
        .ok()?
        .into_inner()
        .hero?;
    Some(PageMeta {
        title: format!("{} · {TITLE}", hero.title),
        description: hero.subtitle,
        image: landing_image(&hero.picture).to_owned(),
        name: Some(hero.title),
    })
}

/// Returns the picture of shared links for a picture of landing pages.
fn landing_image(picture: &str) -> &'static str {
    match picture {
        "cup" => "lp-cup",
        "beans" => "lp-beans",
        "friends" => "lp-friends",
        "storefront" => "lp-storefront",
        "gift" => "gift-cards",
        _ => IMAGE,
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
