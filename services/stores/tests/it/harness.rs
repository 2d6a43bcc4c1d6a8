//! A service with its own database and a clock that the test sets.

use std::sync::Arc;

use callers::Caller;
use jiff::Timestamp;
use kit::ServiceError;
use proto::stores::v1::{self as pb, stores_server::Stores as _};
use secrecy::SecretString;
use stores::{
    Grpc, MIGRATOR, SettingsGrpc, Stores,
    domain::{geo::Position, stable_id, webhook_keys::WebhookKeys},
    ops,
    webhook_client::WebhookClient,
};
use testing::{Database, into_result, request_from};
use tonic::{Request, Response, Status};
use types::{ConsumerId, CredentialId, ManualClock, OrderId, StoreId};

pub use testing::{request_from_consumer, request_from_service};

/// A Friday. Noon in New York, 9:00 in San Francisco.
pub const NOW: &str = "2026-11-20T17:00:00Z";
/// The store credential that the seed creates.
pub const CREDENTIAL: &str = "store_credential_of_the_tests";

/// Returns keys for short names.
pub fn webhook_keys(newest: &str, accepted: &str) -> WebhookKeys {
    let secret = |name: &str| match name {
        "" => SecretString::default(),
        _ => SecretString::from(format!("{name} key of webhooks of the tests")),
    };
    WebhookKeys::new(&secret(newest), &secret(accepted)).unwrap()
}

pub struct Harness {
    pub database: Database,
    pub clock: Arc<ManualClock>,
    pub cx: Arc<Stores>,
    pub grpc: Grpc,
    pub settings: SettingsGrpc,
}

impl Harness {
    /// Creates a service without companies and stores.
    pub async fn empty() -> Self {
        let database = Database::create(&[&MIGRATOR]).await;
        let clock = Arc::new(ManualClock::at(at(NOW)));
        let san_francisco = position(37.77, -122.42);
        let cx = Arc::new(Stores::new(
            database.pool.clone(),
            Arc::<ManualClock>::clone(&clock),
            san_francisco,
            WebhookClient::new(true).unwrap(),
            webhook_keys("first", ""),
        ));
        Self {
            database,
            clock,
            grpc: Grpc::new(Arc::clone(&cx)),
            settings: SettingsGrpc::new(Arc::clone(&cx)),
            cx,
        }
    }

    /// Returns the service after a restart with other keys of webhooks.
    pub fn with_webhook_keys(&self, keys: WebhookKeys) -> Arc<Stores> {
        Arc::new(Stores::new(
            self.database.pool.clone(),
            Arc::<ManualClock>::clone(&self.clock),
            position(37.77, -122.42),
            WebhookClient::new(true).unwrap(),
            keys,
        ))
    }

    /// Creates a service with the seed.
    pub async fn seeded() -> Self {
        let harness = Self::empty().await;
        harness.seed().await;
        harness
    }

    pub async fn seed(&self) {
        ops::seed::seed(&self.cx, &SecretString::from(CREDENTIAL))
            .await
            .unwrap();
    }

    pub async fn close(self) {
        self.database.drop().await;
    }

    /// Returns the id of the store with this name.
    pub async fn store(&self, name: &str) -> StoreId {
        sqlx::query_scalar("SELECT store_id FROM stores WHERE name = $1")
            .bind(name)
            .fetch_one(&self.database.pool)
            .await
            .unwrap()
    }

    /// Returns the item with this name on a store's menu.
    pub async fn item(&self, store_id: StoreId, name: &str) -> pb::Item {
        let request = pb::ListMenuRequest {
            store_id: store_id.to_string(),
            category_id: String::new(),
        };
        let menu = ok(self
            .grpc
            .list_menu(request_from_service("gateway", request))
            .await);
        let item_id = menu
            .sections
            .iter()
            .flat_map(|section| &section.items)
            .find(|item| item.name == name)
            .unwrap_or_else(|| panic!("no {name} on the menu"))
            .item_id
            .clone();
        let request = pb::GetItemRequest {
            store_id: store_id.to_string(),
            item_id,
        };
        ok(self.grpc.get_item(request_from_service("gateway", request)).await)
    }

    /// Returns the only value of a query.
    pub async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query)
            .fetch_one(&self.database.pool)
            .await
            .unwrap()
    }
}

pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub fn position(latitude: f64, longitude: f64) -> Position {
    Position::new(latitude, longitude).unwrap()
}

#[expect(clippy::unnecessary_wraps, reason = "message fields are optional in proto3")]
pub const fn proto_position(latitude: f64, longitude: f64) -> Option<proto::values::v1::Position> {
    Some(proto::values::v1::Position { latitude, longitude })
}

#[expect(clippy::unnecessary_wraps, reason = "message fields are optional in proto3")]
pub const fn proto_page(take: u32, skip: u32) -> Option<proto::values::v1::Page> {
    Some(proto::values::v1::Page { take, skip })
}

/// Creates a request with a store credential for these stores, or for all.
pub fn request_from_store<T>(stores: Option<Vec<StoreId>>, message: T) -> Request<T> {
    let credential = CredentialId::new(Timestamp::UNIX_EPOCH);
    request_from(Caller::Store { credential, stores }, message)
}

/// Returns the message of a response, and panics for an error.
pub fn ok<T>(response: Result<Response<T>, Status>) -> T {
    into_result(response).unwrap()
}

/// Returns the error of a call, and panics for a response.
pub fn error<T: std::fmt::Debug>(response: Result<Response<T>, Status>) -> ServiceError {
    into_result(response).unwrap_err()
}

/// Returns the reason of a failed call.
pub fn reason<T: std::fmt::Debug>(response: Result<Response<T>, Status>) -> String {
    error(response).reason.into_owned()
}

pub fn new_consumer() -> ConsumerId {
    ConsumerId::new(at(NOW))
}

pub fn new_order() -> OrderId {
    OrderId::new(at(NOW))
}

pub fn unknown_store() -> StoreId {
    stable_id::store_id("a number that no store has")
}
