use std::{sync::Arc, time::Duration};

use callers::Caller;
use jiff::{SignedDuration, Timestamp};
use kit::{caller::CallerKey, idempotency::Key, lifecycle::Process, outbox::OutboxEntry};
use ordering::{
    MIGRATOR, Ordering,
    clients::Clients,
    config::Rules,
    consumers::Consumers,
    db::{
        orders,
        steps::{self, NewSaga, StepRecord},
    },
    domain::{
        cart::Pickup,
        line::{ItemKind, OrderLine},
        order::{Order, OrderRecord, Placement, Transition},
        pricing::Totals,
        status::{Actor, Status},
        tender::Tender,
    },
};
use proto::{
    events::Event,
    ordering::v1::{OrderEvent, OrderPlaced, order_event},
};
use testing::Database;
use types::{ConsumerId, CredentialId, ManualClock, Money, OrderId, StoreId};

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
            // No test here calls another service.
            clients: Clients::new(&process.source.read().unwrap(), &key).unwrap(),
            rules: Rules {
                order_saga_seconds: 15,
                order_authentication_seconds: 600,
                order_accept_seconds: 600,
                order_eta_slack_seconds: 300,
                points_per_dollar: 10,
            },
            process,
        };
        Self { cx, clock, database }
    }

    pub fn advance_clock(&self, time: Duration) {
        self.clock.advance(SignedDuration::try_from(time).unwrap());
    }

    pub fn now(&self) -> Timestamp {
        types::Clock::now(self.clock.as_ref())
    }

    /// Returns an order as the saga writes it, with this status.
    pub fn record(&self, status: Status) -> OrderRecord {
        let now = self.now();
        let id = OrderId::new(now);
        OrderRecord {
            order: Order {
                id,
                consumer_id: ConsumerId::new(now),
                cart_id: id.to_string(),
                store_id: StoreId::new(now),
                store_name: "Sunset & Maltman".to_owned(),
                store_address: "1 Sunset Blvd, Los Angeles".to_owned(),
                time_zone: "America/Los_Angeles".to_owned(),
                status,
                version: 1,
                lines: vec![line()],
                totals: Totals {
                    subtotal: Money::usd(950),
                    discount: Money::ZERO,
                    tax: Money::usd(90),
                    tip: Money::usd(200),
                    total: Money::usd(1240),
                    points: 90,
                },
                tax_rate_ppm: 95_000,
                promo_code: String::new(),
                tender: Tender::JoePass,
                payment_method_id: String::new(),
                pickup: Pickup::Counter,
                vehicle: "blue Golf".to_owned(),
                pickup_name: "Maya".to_owned(),
                is_scheduled: false,
                ready_at: now + Duration::from_mins(10),
                start_at: now + Duration::from_mins(5),
                created_at: now,
                placed_at: None,
                arrived_at: None,
                reason: String::new(),
                message: String::new(),
                client_secret: String::new(),
                is_charged: false,
            },
            placement: Placement {
                idempotency_key: id.to_string(),
                make_seconds: 120,
                pickup_at: None,
                not_after: now + Duration::from_mins(15),
                epoch: 1,
            },
        }
    }

    /// Writes an order. Its idempotency key is not the order's own, so that constraints of the order apply first.
    pub async fn insert(&self, record: &OrderRecord) -> Result<(), sqlx::Error> {
        let mut conn = self.cx.pool.acquire().await?;
        let saga = NewSaga {
            key: Key {
                scope: &record.order.consumer_id.to_string(),
                operation: "harness",
                key: &record.order.id.to_string(),
            },
            request_hash: b"hash",
            lease_until: self.now() + self.cx.rules.saga_lease(),
        };
        assert!(steps::begin(&mut conn, record, saga).await?, "the key exists");
        Ok(())
    }

    pub async fn insert_order(&self, status: Status) -> OrderRecord {
        let record = self.record(status);
        self.insert(&record).await.unwrap();
        record
    }

    /// Places the order if it is still as in `from`. Returns whether it was.
    pub async fn place(&self, from: &OrderRecord) -> bool {
        let mut conn = self.cx.pool.acquire().await.unwrap();
        let now = self.now();
        let event = order_placed(&from.order, now);
        let step = StepRecord {
            actor: Actor::Consumer,
            at: now,
            event: &event,
            response: None,
        };
        steps::advance(&mut conn, from, &Transition::to(Status::Placed), step)
            .await
            .unwrap()
    }

    pub async fn status(&self, order_id: OrderId) -> Status {
        self.find(order_id).await.order.status
    }

    pub async fn find(&self, order_id: OrderId) -> OrderRecord {
        let mut conn = self.cx.pool.acquire().await.unwrap();
        orders::find(&mut conn, order_id).await.unwrap().unwrap()
    }

    pub async fn consume(&self, event: &impl Event) {
        let consumers = Consumers(self.cx.clone());
        kit::consumer::handle_once(&self.cx.pool, &consumers, &testing::delivery(event))
            .await
            .unwrap();
    }

    /// Returns a caller with a credential of the order's store.
    pub fn store_of(&self, record: &OrderRecord) -> Caller {
        Caller::Store {
            credential: CredentialId::new(self.now()),
            stores: Some(vec![record.order.store_id]),
        }
    }

    /// Reads the events of the outbox, oldest first.
    pub async fn order_events(&self) -> Vec<OrderEvent> {
        let payloads: Vec<Vec<u8>> = sqlx::query_scalar("SELECT payload FROM outbox ORDER BY position")
            .fetch_all(&self.cx.pool)
            .await
            .unwrap();
        payloads
            .iter()
            .map(|payload| prost::Message::decode(payload.as_slice()).unwrap())
            .collect()
    }
}

/// Returns an event for steps whose event the test does not read.
pub fn order_placed(order: &Order, at: Timestamp) -> OutboxEntry {
    let event = OrderEvent {
        order: None,
        change: Some(order_event::Change::Placed(OrderPlaced {})),
    };
    OutboxEntry::new(event.event_type(), &event, order.id.to_string(), 2, at)
}

pub fn line() -> OrderLine {
    OrderLine {
        line_id: "1".to_owned(),
        item_id: "itm_1".to_owned(),
        item_name: "Iced latte".to_owned(),
        size_id: "siz_1".to_owned(),
        size_name: "Medium".to_owned(),
        kind: ItemKind::Drink,
        art: "{}".to_owned(),
        quantity: 1,
        unit_price: Money::usd(950),
        choices: Vec::new(),
        note: String::new(),
        amount: Money::usd(950),
        discount: Money::ZERO,
    }
}
