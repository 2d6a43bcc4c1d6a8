use std::{sync::Arc, time::Duration};

use callers::Caller;
use jiff::{SignedDuration, Timestamp};
use kit::{caller::CallerKey, idempotency::Key, lifecycle::Process, outbox::OutboxEntry};
use ordering::{
    ClientSecrets, MIGRATOR, Ordering,
    clients::Clients,
    config::{Config, Rules},
    consumers::Consumers,
    db::{
        leases, orders,
        steps::{self, BeginOutcome, NewSaga, StepRecord},
    },
    domain::{
        cart::Pickup,
        journey_step::JourneyStep,
        line::{ItemKind, OrderLine},
        order::{Order, OrderRecord, Placement, Transition},
        pricing::Totals,
        receipt::ReceiptKeys,
        status::{Actor, Status},
        tender::Tender,
    },
};
use proto::{
    events::Event,
    ordering::v1::{OrderEvent, OrderPlaced, order_event},
};
use sqlx::PgConnection;
use testing::Database;
use types::{ConsumerId, CredentialId, ManualClock, Money, OrderId, StoreId};

use crate::fake_services::FakeServices;

/// Initial time of the harness's clock.
pub const START: &str = "2026-11-20T16:00:00Z";

pub struct Harness {
    pub cx: Ordering,
    pub clock: Arc<ManualClock>,
    pub database: Database,
}

impl Harness {
    /// Creates a harness without other services.
    pub async fn new() -> Self {
        Self::start(|config| config).await
    }

    /// Creates a harness with fakes of all other services.
    pub async fn with_services(services: &FakeServices) -> Self {
        let address = format!("http://{}", services.address);
        Self::start(|config| Config {
            stores_address: address.clone(),
            payments_address: address.clone(),
            gift_cards_address: address.clone(),
            rewards_address: address.clone(),
            ..config
        })
        .await
    }

    async fn start(configure: impl FnOnce(Config) -> Config) -> Self {
        let database = Database::create(&[&MIGRATOR]).await;
        let clock = Arc::new(ManualClock::at(START.parse::<Timestamp>().unwrap()));
        let process = Process::detached("ordering");
        let key = CallerKey::new(&"a secret for tests, of 32 bytes.".into()).unwrap();
        let cx = Ordering {
            pool: database.pool.clone(),
            clock: clock.clone(),
            clients: Clients::new(&configure(process.source.read().unwrap()), &key).unwrap(),
            rules: Rules {
                order_saga_seconds: 15,
                order_authentication_seconds: 600,
                order_accept_seconds: 600,
                order_complete_seconds: 3600,
                order_complete_unmarked_seconds: 86_400,
                order_eta_slack_seconds: 300,
                order_max_active: 5,
                order_max_scheduled: 5,
                order_max_items: 50,
                receipt_link_days: 90,
                points_per_dollar: 10,
                audit_every_seconds: 3600,
                audit_settle_seconds: 0,
                audit_max_hold_hours: 168,
            },
            receipt_keys: ReceiptKeys::new("a secret for receipts of 32 bytes".into(), "".into()).unwrap(),
            client_secrets: ClientSecrets::default(),
            process,
        };
        Self { cx, clock, database }
    }

    pub fn advance_clock(&self, time: Duration) {
        self.clock.advance(SignedDuration::try_from(time).unwrap());
    }

    pub async fn execute(&self, statement: &'static str) {
        sqlx::query(statement).execute(&self.cx.pool).await.unwrap();
    }

    /// Shortens the leases by this time. Leases use the database's clock, which tests cannot set.
    pub async fn pass_lease_time(&self, time: Duration) {
        sqlx::query(
            "UPDATE orders SET lease_until = lease_until - make_interval(secs => $1),
                authenticate_by = authenticate_by - make_interval(secs => $1)",
        )
        .bind(time.as_secs_f64())
        .execute(&self.cx.pool)
        .await
        .unwrap();
    }

    /// Inserts a card order that waits for the consumer's authentication.
    pub async fn insert_waiting_order(&self, change: impl FnOnce(&mut OrderRecord)) -> OrderRecord {
        let mut record = self.record(Status::PaymentPending);
        record.order.tender = Tender::Card;
        change(&mut record);
        self.insert(&record).await.unwrap();
        let mut conn = self.cx.pool.acquire().await.unwrap();
        let timeout = self.cx.rules.authentication_timeout();
        let is_released = leases::release_to_wait(&mut conn, &record, timeout)
            .await
            .unwrap();
        assert!(is_released);
        record
    }

    /// Waits until the order has this status.
    pub async fn wait_for_status(&self, order_id: OrderId, status: Status) {
        for _ in 0..400 {
            if self.status(order_id).await == status {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the order is {}", self.status(order_id).await);
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
                stored_value: None,
                stored_value_name: "JoePass".to_owned(),
                pickup: Pickup::Counter,
                vehicle: "blue Golf".to_owned(),
                pickup_name: "Maya".to_owned(),
                journey_step: JourneyStep::Web,
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
                first_ready_at: None,
                delay_reason: String::new(),
                made_at: None,
                is_rated: false,
            },
            placement: Placement {
                idempotency_key: id.to_string(),
                make_seconds: 120,
                pickup_at: None,
                not_after: now + Duration::from_mins(15),
                epoch: 1,
                awaits_authentication: false,
            },
        }
    }

    /// Writes an order with a random idempotency key, so that constraints of the order apply first.
    pub async fn insert(&self, record: &OrderRecord) -> Result<(), sqlx::Error> {
        let mut conn = self.cx.pool.acquire().await?;
        self.insert_within(&mut conn, record).await
    }

    /// Writes an order in the caller's transaction; see [`Harness::insert`].
    pub async fn insert_within(
        &self,
        conn: &mut PgConnection,
        record: &OrderRecord,
    ) -> Result<(), sqlx::Error> {
        let saga = NewSaga {
            key: Key {
                scope: &record.order.consumer_id.to_string(),
                operation: "harness",
                key: &record.order.id.to_string(),
            },
            request_hash: b"hash",
            lease: self.cx.rules.saga_lease(),
            max_active: 5,
        };
        let outcome = steps::begin(conn, record, saga).await?;
        assert_eq!(outcome, BeginOutcome::Begun);
        Ok(())
    }

    pub async fn insert_order(&self, status: Status) -> OrderRecord {
        let record = self.record(status);
        self.insert(&record).await.unwrap();
        record
    }

    /// Places the order if it is unchanged since `from` was read. Returns whether it was placed.
    pub async fn place(&self, from: &OrderRecord) -> bool {
        let mut conn = self.cx.pool.acquire().await.unwrap();
        self.place_within(&mut conn, from).await
    }

    /// Places the order in the caller's transaction; see [`Harness::place`].
    pub async fn place_within(&self, conn: &mut PgConnection, from: &OrderRecord) -> bool {
        let now = self.now();
        let event = order_placed(&from.order, now);
        let step = StepRecord {
            actor: Actor::Consumer,
            at: now,
            event: &event,
            response: None,
        };
        steps::advance(conn, from, &Transition::to(Status::Placed), step)
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

/// Returns an event for steps of tests that do not read it.
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
