//! A service with the seed in it, and a clock that stands where the test puts it.

use std::sync::Arc;

use jiff::Timestamp;
use callers::Caller;
use kit::ServiceError;
use proto::stores::v1::{self, stores_server::Stores as _};
use secrecy::SecretString;
use stores::{
    Grpc, MIGRATOR, Stores,
    domain::{geo::Position, stable_id},
    ops,
};
use testing::Database;
use tonic::Request;
use types::{ConsumerId, CredentialId, ManualClock, OrderId, SessionId, StoreId};

/// Friday noon in New York, 9 in the morning in San Francisco.
pub const NOON: &str = "2026-11-20T17:00:00Z";
/// What `seed` is told to use.
pub const CREDENTIAL: &str = "store_credential_of_the_tests";

pub struct Harness {
    pub database: Database,
    pub clock: Arc<ManualClock>,
    pub cx: Arc<Stores>,
    pub grpc: Grpc,
}

pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub fn position(latitude: f64, longitude: f64) -> Position {
    Position::new(latitude, longitude).unwrap()
}

pub const fn on_map(latitude: f64, longitude: f64) -> Option<proto::values::v1::Position> {
    Some(proto::values::v1::Position { latitude, longitude })
}

impl Harness {
    /// An empty service.
    pub async fn empty() -> Self {
        let database = Database::create(&[&MIGRATOR]).await;
        let clock = Arc::new(ManualClock::at(at(NOON)));
        let san_francisco = position(37.77, -122.42);
        let cx = Arc::new(Stores::new(
            database.pool.clone(),
            Arc::<ManualClock>::clone(&clock),
            san_francisco,
        ));
        Self {
            database,
            clock,
            grpc: Grpc::new(Arc::clone(&cx)),
            cx,
        }
    }

    /// A service with the seed.
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

    /// The id of a store of the seed, by its name.
    pub async fn store(&self, name: &str) -> StoreId {
        sqlx::query_scalar("SELECT store_id FROM stores WHERE name = $1")
            .bind(name)
            .fetch_one(&self.database.pool)
            .await
            .unwrap()
    }

    /// An item of a store's menu, by its name.
    pub async fn item(&self, store: StoreId, name: &str) -> v1::Item {
        let asked = v1::ListMenuRequest {
            store_id: store.to_string(),
            category_id: String::new(),
        };
        let menu = self
            .grpc
            .list_menu(service("gateway", asked))
            .await
            .unwrap()
            .into_inner();
        let found = menu
            .sections
            .iter()
            .flat_map(|section| &section.items)
            .find(|item| item.name == name);
        let item_id = found
            .unwrap_or_else(|| panic!("no {name} on the menu"))
            .item_id
            .clone();
        let asked = v1::GetItemRequest {
            store_id: store.to_string(),
            item_id,
        };
        self.grpc
            .get_item(service("gateway", asked))
            .await
            .unwrap()
            .into_inner()
    }

    /// One number that SQL says.
    pub async fn count(&self, question: &'static str) -> i64 {
        sqlx::query_scalar(question)
            .fetch_one(&self.database.pool)
            .await
            .unwrap()
    }
}

/// A call by one of our own processes.
pub fn service<T>(name: &str, message: T) -> Request<T> {
    request_from(Caller::Service { name: name.into() }, message)
}

/// A call on a consumer's behalf.
pub fn consumer<T>(id: ConsumerId, message: T) -> Request<T> {
    request_from(
        Caller::Consumer {
            id,
            session: SessionId::new(Timestamp::UNIX_EPOCH),
        },
        message,
    )
}

/// A call by a store's own system.
pub fn counter<T>(stores: Option<Vec<StoreId>>, message: T) -> Request<T> {
    request_from(
        Caller::Store {
            credential: CredentialId::new(Timestamp::UNIX_EPOCH),
            stores,
        },
        message,
    )
}

fn request_from<T>(caller: Caller, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.extensions_mut().insert(caller);
    request
}

/// Why a call was refused.
pub fn reason<T: std::fmt::Debug>(answer: Result<T, tonic::Status>) -> String {
    ServiceError::from_status(&answer.unwrap_err())
        .reason
        .into_owned()
}

pub fn new_consumer() -> ConsumerId {
    ConsumerId::new(at(NOON))
}

pub fn new_order() -> OrderId {
    OrderId::new(at(NOON))
}

pub fn nowhere() -> StoreId {
    stable_id::store("there is no such store")
}
