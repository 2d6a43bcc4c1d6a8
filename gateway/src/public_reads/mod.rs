//! Responses about stores, menus and items. They are the same for all consumers, so they are cached for up to
//! `PUBLIC_READ_MAX_AGE_MS` and invalidated by events.

use std::any::TypeId;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use prost::Message;
use proto::stores::v1::StoreEvent;
use proto::stores::v1::store_event::Change;
use serde::Serialize;
use tokio::sync::Semaphore;
use tokio::time::Instant;

mod cache;
mod requests;
mod response;
#[cfg(test)]
mod tests;
mod versions;
mod watchers;

use self::cache::{Key, ResponseCache};
pub(crate) use self::requests::PublicRead;
pub(crate) use self::response::PublicResponse;
use self::versions::Versions;
use self::watchers::Watchers;
pub(crate) use self::watchers::{StoreChange, StoreWatch};
use crate::clients::Clients;
use crate::config::{PublicReadConfig, StreamLimits};
use crate::context::CallContext;
use crate::error::ApiError;
use crate::live_orders::StreamLimitError;
use crate::response::PersonalResponse;

/// Event type of a company. All other events of the service `stores` have a store id.
const MENU_CHANGED: &str = "stores.MenuChanged";
/// While the broker is unavailable, the maximum age is divided by this number.
const MAX_AGE_DIVISOR_WITHOUT_EVENTS: u32 = 4;

/// Reads that are the same for all consumers. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct PublicReads(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    clients: Clients,
    cache: ResponseCache,
    versions: Versions,
    watchers: Watchers,
    max_age: Duration,
    receives_events: AtomicBool,
}

impl PublicReads {
    /// Creates the cache. `streams` are the slots of all open streams of this process.
    pub(crate) fn new(
        clients: Clients,
        config: PublicReadConfig,
        streams: Arc<Semaphore>,
        limits: StreamLimits,
    ) -> Self {
        let max_age = config.max_age();
        Self(Arc::new(Inner {
            clients,
            cache: ResponseCache::new(max_age, Arc::new(Instant::now)),
            versions: Versions::default(),
            watchers: Watchers::new(streams, limits),
            max_age,
            receives_events: AtomicBool::new(false),
        }))
    }

    /// Returns a view of the response to a request, from the cache or from stores.
    ///
    /// # Errors
    /// The error of stores. It is shared by concurrent requests and not cached.
    pub(crate) async fn get<Q, V>(
        &self,
        context: &CallContext,
        request: Q,
    ) -> Result<PublicResponse, ApiError>
    where
        Q: PublicRead,
        V: View<Q>,
        ApiError: From<V::Error>,
    {
        let key = Key {
            version: self.0.versions.get(request.scope()),
            view: TypeId::of::<(Q, V)>(),
            request: request.encode_to_vec(),
        };
        let load = || {
            // Loads as the gateway, so that the response contains no data of the consumer who sent the request.
            let (clients, context, request) = (self.0.clients.clone(), context.as_gateway(), request.clone());
            async move {
                let view = fetch::<Q, V>(&clients, &context, request).await;
                let response = view.and_then(|view| Ok(PublicResponse::encode(view)?));
                response.map_err(|error| error.error)
            }
        };
        Ok(self.0.cache.get(key, self.max_age(), load).await?)
    }

    /// Returns the view with the favorites of a signed-in consumer, which is not cached, or the public view from the cache.
    ///
    /// # Errors
    /// The error of stores.
    pub(crate) async fn get_with_favorites<Q, V>(
        &self,
        context: &CallContext,
        is_signed_in: bool,
        request: Q,
    ) -> Result<Response, ApiError>
    where
        Q: PublicRead,
        V: View<Q>,
        ApiError: From<V::Error>,
    {
        if is_signed_in {
            let view = fetch::<Q, V>(&self.0.clients, context, request).await?;
            Ok(PersonalResponse::new(view).into_response())
        } else {
            let response = self.get::<Q, V>(context, request).await?;
            Ok(response.into_response())
        }
    }

    /// Applies an event of stores.
    pub(crate) fn receive(&self, event_type: &str, payload: &[u8]) {
        if event_type == MENU_CHANGED {
            self.0.versions.increment_menus();
            self.0.watchers.notify_all(StoreChange::Menu);
            return;
        }
        match StoreEvent::decode(payload) {
            Ok(event) if !event.store_id.is_empty() => {
                let change = match event.change {
                    Some(Change::AvailabilityChanged(_)) => StoreChange::Menu,
                    Some(Change::StatusChanged(_)) => StoreChange::Status,
                    None => StoreChange::Any,
                };
                self.invalidate_store(&event.store_id, change);
            }
            _ => {
                tracing::warn!(event_type, "unknown store event");
                self.invalidate_all();
            }
        }
    }

    /// Discards the cached responses about a store. Later requests load them again.
    pub(crate) fn invalidate_store(&self, store_id: &str, change: StoreChange) {
        self.0.versions.increment_store(store_id);
        // After the version, so that a watcher that reads at once does not find an older response.
        self.0.watchers.notify(store_id, change);
    }

    fn invalidate_all(&self) {
        self.0.versions.increment_all();
        self.0.watchers.notify_all(StoreChange::Any);
    }

    /// Watches a store for a client.
    ///
    /// # Errors
    /// The limit of open streams is reached.
    pub(crate) fn watch_store(
        &self,
        store_id: String,
        address: IpAddr,
    ) -> Result<StoreWatch, StreamLimitError> {
        self.0.watchers.watch(store_id, address)
    }

    /// Returns whether events are received. Without them, watchers are not notified.
    pub(crate) fn receives_events(&self) -> bool {
        self.0.receives_events.load(Ordering::Acquire)
    }

    /// Sets whether events are received. A change discards all responses, because events may have been lost.
    pub(crate) fn set_receives_events(&self, receives_events: bool) {
        let before = self.0.receives_events.swap(receives_events, Ordering::AcqRel);
        if before != receives_events {
            self.invalidate_all();
        }
    }

    fn max_age(&self) -> Duration {
        if self.receives_events() {
            self.0.max_age
        } else {
            self.0.max_age / MAX_AGE_DIVISOR_WITHOUT_EVENTS
        }
    }
}

/// The REST representation of a response, or of a part of it.
pub(crate) trait View<Q: PublicRead>: TryFrom<Q::Response> + Serialize + Send + 'static {}

impl<Q: PublicRead, V: TryFrom<Q::Response> + Serialize + Send + 'static> View<Q> for V {}

async fn fetch<Q, V>(clients: &Clients, context: &CallContext, request: Q) -> Result<V, ApiError>
where
    Q: PublicRead,
    V: View<Q>,
    ApiError: From<V::Error>,
{
    let response = request.call(clients.stores(context)).await?;
    Ok(V::try_from(response.into_inner())?)
}
