//! Title, description and picture of a page from the record that it shows: a store, an item, a company or a landing page.

use std::time::Duration;

use proto::rewards::v1 as rewards;
use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tonic::Code;

use super::page_template::PageMeta;
use super::pages::Page;
use crate::context::CallContext;
use crate::gateway::Gateway;
use crate::public_reads::PublicRead;

pub(super) const TITLE: &str = "Order Ahead";
/// The pictures of shared links, in the folder `share` of the build.
pub(super) const IMAGE: &str = "order-ahead";
const STORE_IMAGE: &str = "store";
const ITEM_IMAGE: &str = "menu";
const COMPANY_IMAGE: &str = "company";
/// The slug of the page that share codes lead to.
const INACTIVE_USERS: &str = "inactive-users";
/// Maximum time that the page waits for its record.
const RECORD_TIMEOUT: Duration = Duration::from_millis(300);

/// The path is that of a landing page that does not exist.
#[derive(Debug)]
pub(super) struct LandingPageUnknown;

/// Returns title and description from the record that the page shows, or `None` for other pages and if the record cannot be
/// loaded.
///
/// # Errors
/// [`LandingPageUnknown`] if there is no such landing page.
pub(super) async fn record_meta(
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
    Ok(match segments(path).as_slice() {
        ["store", store_id, "item", item_id] => item_meta(gateway, context, store_id, item_id).await,
        ["store", store_id, ..] => store_meta(gateway, context, store_id).await,
        ["company", company_id, page @ ..] => company_meta(gateway, context, company_id, page).await,
        _ => None,
    })
}

fn segments(path: &str) -> Vec<&str> {
    path.split('/')
        .skip(1)
        .filter(|segment| !segment.is_empty())
        .collect()
}

async fn store_meta(gateway: &Gateway, context: &CallContext, store_id: &str) -> Option<PageMeta> {
    let request = stores::GetStoreRequest {
        store_id: store_id.to_owned(),
        position: None,
    };
    public_record(gateway, context, request).await
}

/// Returns the texts that the app's item screen sets. Without the item, those of the store.
async fn item_meta(
    gateway: &Gateway,
    context: &CallContext,
    store_id: &str,
    item_id: &str,
) -> Option<PageMeta> {
    let request = stores::GetItemRequest {
        store_id: store_id.to_owned(),
        item_id: item_id.to_owned(),
    };
    let (store, item) = tokio::join!(
        store_meta(gateway, context, store_id),
        public_record::<_, ItemText>(gateway, context, request)
    );
    let store = store?;
    // Unknown, or not loaded in time.
    let Some(item) = item else {
        return Some(store);
    };
    let store_name = store.name.unwrap_or_default();
    Some(PageMeta {
        title: format!("{} · {store_name}", item.name),
        description: if item.description.is_empty() {
            format!("Order ahead at {store_name}.")
        } else {
            item.description
        },
        image: ITEM_IMAGE.to_owned(),
        name: Some(item.name),
    })
}

/// `page`: the segments below the company's path.
async fn company_meta(
    gateway: &Gateway,
    context: &CallContext,
    company_id: &str,
    page: &[&str],
) -> Option<PageMeta> {
    let request = stores::GetCompanyRequest {
        company_id: company_id.to_owned(),
    };
    let company: PageMeta = public_record(gateway, context, request).await?;
    let name = company.name.as_deref().unwrap_or_default();
    let title = match page {
        ["card"] => format!("{name} card · {TITLE}"),
        ["buy-card"] => format!("Buy a {name} card · {TITLE}"),
        _ => return Some(company),
    };
    Some(PageMeta {
        title,
        description: format!("Use it at every {name} store."),
        ..company
    })
}

/// Returns the path below `/lp`. Like the app's router, this ignores case and a trailing slash. A slug has no characters that
/// have to be decoded.
fn landing_slug(path: &str) -> Option<&str> {
    let path = path.strip_suffix('/').unwrap_or(path).strip_prefix('/')?;
    let (area, slug) = path.split_once('/').unwrap_or((path, ""));
    area.eq_ignore_ascii_case("lp").then_some(slug)
}

/// Makes a call for the page, within [`RECORD_TIMEOUT`] and the limit of requests in progress. `None` beyond either: the page is
/// served without the result, and the app makes the call again.
async fn call_within_limits<T>(gateway: &Gateway, call: impl Future<Output = T>) -> Option<T> {
    let _admitted = gateway.admission.try_admit()?;
    tokio::time::timeout(RECORD_TIMEOUT, call).await.ok()
}

/// Returns a view of a record that is the same for all consumers. Concurrent pages share one call.
async fn public_record<Q, V>(gateway: &Gateway, context: &CallContext, request: Q) -> Option<V>
where
    Q: PublicRead,
    V: From<Q::Response> + Serialize + DeserializeOwned + Send + 'static,
{
    // Boxed, because the future is large.
    let read = Box::pin(gateway.public_reads.get::<Q, V>(context, request));
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

/// Name and description of an item.
#[derive(Debug, Serialize, Deserialize)]
struct ItemText {
    name: String,
    description: String,
}

impl From<stores::Item> for ItemText {
    fn from(item: stores::Item) -> Self {
        Self {
            name: item.name,
            description: item.description,
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
