//! Speaks of orders, stores and time.

use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::ToSqlx;
use callers::Caller;
use kit::{
    caller::CallerKey,
    consumer::Delivery,
    idempotency::Key,
    lifecycle::Process,
    outbox::Entry,
};
use ordering::{
    MIGRATOR, Ordering,
    clients::Clients,
    config::Rules,
    consumers::Consumers,
    db::{
        orders::{self, Row},
        steps::{self, Beginning, Change, Record},
    },
    domain::{cart::Line, order::Actor},
};
use proto::{events::Event, ordering::v1::OrderPlaced};
use sqlx::types::Json;
use testing::Database;
use types::{ConsumerId, CredentialId, EventId, ManualClock, OrderId, StoreId};

pub struct Harness {
    pub cx: Ordering,
    pub clock: Arc<ManualClock>,
    pub database: Database,
}

impl Harness {
    pub async fn new() -> Self {
        let database = Database::create(&[&MIGRATOR]).await;
        let clock = Arc::new(ManualClock::at(
            "2026-11-20T16:00:00Z".parse::<Timestamp>().unwrap(),
        ));
        let process = Process::detached("ordering");
        let key = CallerKey::new(&"a secret for tests, of 32 bytes.".into()).unwrap();
        let cx = Ordering {
            pool: database.pool.clone(),
            clock: clock.clone(),
            // Nobody is called here: what calls others is tried where the others are real.
            clients: Clients::new(&process.source.read().unwrap(), &key).unwrap(),
            rules: Rules {
                order_saga_seconds: 15,
                order_authentication_seconds: 600,
                order_accept_seconds: 600,
                order_promise_slack_seconds: 300,
                points_per_dollar: 10,
            },
            process,
        };
        Self { cx, clock, database }
    }

    pub fn later(&self, time: Duration) {
        self.clock.advance(SignedDuration::try_from(time).unwrap());
    }

    pub fn now(&self) -> Timestamp {
        types::Clock::now(self.clock.as_ref())
    }

    /// An order as the saga would have left it in a state.
    pub fn row(&self, status: &str) -> Row {
        let now = self.now();
        let id = OrderId::new(now);
        Row {
            id: id.uuid(),
            consumer_id: ConsumerId::new(now).uuid(),
            store_id: StoreId::new(now).uuid(),
            cart_id: id.to_string(),
            status: status.to_owned(),
            version: 1,
            idempotency_key: id.to_string(),
            store_name: "Sunset & Maltman".to_owned(),
            store_address: "1 Sunset Blvd, Los Angeles".to_owned(),
            time_zone: "America/Los_Angeles".to_owned(),
            lines: Json(vec![line()]),
            currency: "usd".to_owned(),
            subtotal: 950,
            discount: 0,
            tax: 90,
            tip: 200,
            total: 1240,
            tax_rate_ppm: 95_000,
            promo_code: String::new(),
            points: 90,
            tender: "joepass".to_owned(),
            payment_method_id: String::new(),
            pickup: "counter".to_owned(),
            vehicle: "blue Golf".to_owned(),
            pickup_name: "Maya".to_owned(),
            make_seconds: 120,
            pickup_at: None,
            ready_at: (now + Duration::from_secs(600)).to_sqlx(),
            start_at: (now + Duration::from_secs(300)).to_sqlx(),
            not_after: (now + Duration::from_secs(900)).to_sqlx(),
            created_at: now.to_sqlx(),
            placed_at: None,
            arrived_at: None,
            reason: String::new(),
            message: String::new(),
            epoch: 1,
            client_secret: String::new(),
        }
    }

    pub async fn insert(&self, row: &Row) -> Result<(), sqlx::Error> {
        let mut conn = self.cx.pool.acquire().await?;
        let id = row.order_id().to_string();
        let beginning = Beginning {
            // Not the order's own: what is tried here are rules of the order.
            key: Key {
                scope: &row.consumer().to_string(),
                operation: "harness",
                key: &id,
            },
            request_hash: b"hash",
            lease_until: self.now() + self.cx.rules.saga(),
        };
        assert!(steps::begin(&mut conn, row, beginning).await?, "a key of its own");
        Ok(())
    }

    /// Takes a step from exactly this row.
    pub async fn advance(&self, from: &Row, change: &Change<'_>) -> bool {
        let mut conn = self.cx.pool.acquire().await.unwrap();
        let now = self.now();
        let record = Record {
            by: Actor::Consumer,
            at: now,
            fact: &Entry::of(from.order_id().to_string(), 2, now, &OrderPlaced { order: None }),
            answer: None,
        };
        steps::advance(&mut conn, from, change, &record).await.unwrap()
    }

    pub async fn order(&self, status: &str) -> Row {
        let row = self.row(status);
        self.insert(&row).await.unwrap();
        row
    }

    pub async fn status(&self, order: OrderId) -> String {
        self.find(order).await.status
    }

    pub async fn find(&self, order: OrderId) -> Row {
        let mut conn = self.cx.pool.acquire().await.unwrap();
        orders::find(&mut conn, order).await.unwrap().unwrap()
    }

    /// A fact as the broker brings it.
    pub fn event<E: Event>(&self, fact: &E) -> Delivery {
        Delivery {
            id: EventId::new(self.now()),
            kind: E::KIND.to_owned(),
            aggregate_id: String::new(),
            aggregate_version: 1,
            payload: fact.encode_to_vec(),
        }
    }

    /// Takes in a fact.
    pub async fn hears<E: Event>(&self, fact: &E) {
        let consumers = Consumers(self.cx.clone());
        kit::consumer::handle_once(&self.cx.pool, &consumers, &self.event(fact))
            .await
            .unwrap();
    }

    /// The system of the store that makes an order.
    pub fn store_of(&self, row: &Row) -> Caller {
        Caller::Store {
            credential: CredentialId::new(self.now()),
            stores: Some(vec![row.store()]),
        }
    }
}

pub fn line() -> Line {
    Line {
        line_id: "1".to_owned(),
        item_id: "itm_1".to_owned(),
        item_name: "Iced latte".to_owned(),
        size_id: "siz_1".to_owned(),
        size_name: "Medium".to_owned(),
        kind: "drink".to_owned(),
        art: "{}".to_owned(),
        quantity: 1,
        unit_price: 950,
        choices: Vec::new(),
        note: String::new(),
        amount: 950,
        discount: 0,
    }
}
