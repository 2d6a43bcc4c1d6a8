//! Stores, menus and items, which are the same for all consumers. Their responses are cached for a moment and invalidated by
//! events.

use std::any::TypeId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use prost::Message;
use proto::stores::v1::StoreEvent;
use serde::Serialize;
use tokio::time::Instant;

mod cache;
mod requests;
mod response;
#[cfg(test)]
mod tests;
mod versions;

use self::cache::{Key, ResponseCache};
pub(crate) use self::requests::PublicRead;
pub(crate) use self::response::PublicResponse;
use self::versions::Versions;
use crate::clients::Clients;
use crate::config::PublicReadConfig;
use crate::context::CallContext;
use crate::error::ApiError;
use crate::response::PersonalResponse;

/// Event types of stores that are not about one store.
const MENU_CHANGED: &str = "stores.MenuChanged";
/// Without events, a change is visible in this part of the maximum age.
const SHORTER_WITHOUT_EVENTS: u32 = 4;

/// Reads that are the same for all consumers. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct PublicReads(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    clients: Clients,
    cache: ResponseCache,
    versions: Versions,
    max_age: Duration,
    receives_events: AtomicBool,
}

impl PublicReads {
    pub(crate) fn new(clients: Clients, config: PublicReadConfig) -> Self {
        let max_age = config.max_age();
        Self(Arc::new(Inner {
            clients,
            cache: ResponseCache::new(max_age, Arc::new(Instant::now)),
            versions: Versions::default(),
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
            // The response must not contain anything of the consumer whose request loads it.
            let (clients, context, request) = (self.0.clients.clone(), context.as_gateway(), request.clone());
            async move {
                let view = fetch::<Q, V>(&clients, &context, request).await;
                let response = view.and_then(|view| Ok(PublicResponse::encode(view)?));
                response.map_err(|error| error.error)
            }
        };
        Ok(self.0.cache.get(key, self.max_age(), load).await?)
    }

    /// Returns a view that contains the favorites of a signed-in consumer, which is not cached, or the view for everybody.
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
            return;
        }
        match StoreEvent::decode(payload) {
            Ok(event) if !event.store_id.is_empty() => self.invalidate_store(&event.store_id),
            _ => {
                tracing::warn!(event_type, "unknown store event");
                self.0.versions.increment_all();
            }
        }
    }

    /// Makes a change of a store visible to all later requests.
    pub(crate) fn invalidate_store(&self, store_id: &str) {
        self.0.versions.increment_store(store_id);
    }

    /// Sets whether events are received. Events before that may have been lost.
    pub(crate) fn set_receives_events(&self, receives_events: bool) {
        let before = self.0.receives_events.swap(receives_events, Ordering::AcqRel);
        if before != receives_events {
            self.0.versions.increment_all();
        }
    }

    fn max_age(&self) -> Duration {
        if self.0.receives_events.load(Ordering::Acquire) {
            self.0.max_age
        } else {
            self.0.max_age / SHORTER_WITHOUT_EVENTS
        }
    }
}

/// A part of the response to a request, as it is sent to clients.
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
