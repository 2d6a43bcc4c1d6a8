//! The page for a route of the app.

use std::time::Duration;

use axum::response::{Html, IntoResponse, Response};
use http::header::{CACHE_CONTROL, LINK};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode};
use proto::rewards::v1 as rewards;
use proto::stores::v1 as stores;
use tonic::Code;

use super::page_template::{PageContent, PageMeta};
use super::pages::Page;
use crate::context::CallContext;
use crate::cookie;
use crate::gateway::Gateway;
use crate::public_reads::PublicRead;

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

/// The path is that of a landing page that does not exist.
#[derive(Debug)]
struct LandingPageUnknown;

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

/// Returns title and description from the record that the page shows, or `None` for other pages and if the record cannot be
/// loaded.
///
/// # Errors
/// [`LandingPageUnknown`] if there is no such landing page.
async fn record_meta(
    gateway: &Gateway,
    context: &CallContext,
    page: Option<&Page>,
    path: &str,
) -> Result<Option<PageMeta>, LandingPageUnknown> {
    // The build describes all pages below `/lp` that are not landing pages.
    if page.is_none()
        && let Some(slug) = landing_slug(path)
    {
        return landing_meta(gateway, context, slug).await;
    }
    let mut segments = path.split('/').skip(1);
    Ok(match (segments.next(), segments.next()) {
        (Some("store"), Some(id)) => {
            let request = stores::GetStoreRequest {
                store_id: id.to_owned(),
                position: None,
            };
            public_meta(gateway, context, request).await
        }
        (Some("company"), Some(id)) => {
            let request = stores::GetCompanyRequest {
                company_id: id.to_owned(),
            };
            public_meta(gateway, context, request).await
        }
        _ => None,
    })
}

/// Returns the path below `/lp`. Like the app's router, this ignores case and a trailing slash. A slug has no characters that
/// have to be decoded.
fn landing_slug(path: &str) -> Option<&str> {
    let path = path.strip_suffix('/').unwrap_or(path).strip_prefix('/')?;
    let (area, slug) = path.split_once('/').unwrap_or((path, ""));
    area.eq_ignore_ascii_case("lp").then_some(slug)
}

/// Makes a call for the page, within [`NAME_TIMEOUT`] and the limit of requests in progress. `None` beyond either: the page is
/// served without the result, and the app makes the call again.
async fn call_within_limits<T>(gateway: &Gateway, call: impl Future<Output = T>) -> Option<T> {
    let _admitted = gateway.admission.try_admit()?;
    tokio::time::timeout(NAME_TIMEOUT, call).await.ok()
}

/// Returns the description of a record that is the same for all consumers. Concurrent pages share one call.
async fn public_meta<Q: PublicRead>(gateway: &Gateway, context: &CallContext, request: Q) -> Option<PageMeta>
where
    PageMeta: From<Q::Response>,
{
    // Boxed, because the future is large.
    let read = Box::pin(gateway.public_reads.get::<Q, PageMeta>(context, request));
    let response = call_within_limits(gateway, read).await?.ok()?;
    response.decode().ok()
}

impl From<stores::Store> for PageMeta {
    fn from(store: stores::Store) -> Self {
        Self {
            title: format!("{} · {}", store.name, store.company_name),
            description: format!(
                "Order ahead at {}, {}. {}",
                store.street, store.city, store.hours_today
            ),
            image: STORE_IMAGE.to_owned(),
            name: Some(store.name),
        }
    }
}

impl From<stores::Company> for PageMeta {
    fn from(company: stores::Company) -> Self {
        let description = if company.description.is_empty() {
            format!("Order ahead at {}.", company.name)
        } else {
            company.description
        };
        Self {
            title: format!("{} · {TITLE}", company.name),
            description,
            image: COMPANY_IMAGE.to_owned(),
            name: Some(company.name),
        }
    }
}

async fn landing_meta(
    gateway: &Gateway,
    context: &CallContext,
    slug: &str,
) -> Result<Option<PageMeta>, LandingPageUnknown> {
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
    let landing_page = match call_within_limits(gateway, page).await {
        Some(Ok(response)) => response.into_inner(),
        Some(Err(error)) if error.code() == Code::NotFound => return Err(LandingPageUnknown),
        // The page may exist, and the app loads it again.
        Some(Err(_)) | None => return Ok(None),
    };
    Ok(landing_page.hero.map(|hero| PageMeta {
        title: format!("{} · {TITLE}", hero.title),
        description: hero.subtitle,
        image: landing_image(&hero.picture).to_owned(),
        name: Some(hero.title),
    }))
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
