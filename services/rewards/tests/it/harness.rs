//! The service on a database of its own, in the words of the domain.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use kit::{
    ServiceError,
    consumer::{ConsumeError, Delivery},
};
use proto::{
    events::Event,
    ordering::v1::{OrderSnapshot, TenderKind},
    rewards::v1::{
        ClaimDiscountRequest, CloseClaimRequest, Discount, GetPointsRequest, InboxMessage, ListInboxRequest,
        ListInboxResponse, ListPointEntriesRequest, PointEntry, PriceDiscountRequest,
        rewards_server::Rewards as _,
    },
    values::v1::Page,
};
use rewards::{MIGRATORS, Rewards, config::Rules, consumers::Consumers, grpc::Grpc, ops};
use testing::{Database, request_from_service, into_result};
pub use testing::{at, request_from_consumer, delivery, usd};
use tonic::Request;
use types::{ConsumerId, ManualClock, OrderId, StoreId};

/// The service, seeded.
pub struct Harness {
    database: Database,
    pub cx: Rewards,
    pub clock: Arc<ManualClock>,
}

/// A call made by ordering.
pub fn by_ordering<T>(message: T) -> Request<T> {
    request_from_service("ordering", message)
}

/// Somebody new.
pub fn consumer() -> ConsumerId {
    ConsumerId::new(at())
}

/// A fresh order.
pub fn order() -> OrderId {
    OrderId::new(at())
}

/// What ordering asks for.
pub fn claiming(order: OrderId, consumer: ConsumerId, code: &str, cents: i64) -> ClaimDiscountRequest {
    ClaimDiscountRequest {
        order_id: order.to_string(),
        consumer_id: consumer.to_string(),
        code: code.to_owned(),
        subtotal: usd(cents),
        store_id: StoreId::new(at()).to_string(),
    }
}

/// What every fact about an order of 6 dollars 40 before tax says.
pub fn fact(order: OrderId, consumer: ConsumerId) -> OrderSnapshot {
    OrderSnapshot {
        order_id: order.to_string(),
        consumer_id: consumer.to_string(),
        tender: TenderKind::Joepass.into(),
        total_minor_units: 752,
        earning_minor_units: 640,
        currency: "usd".to_owned(),
        store_name: "Sunset & Maltman".to_owned(),
        pickup_number: "42".to_owned(),
        at: at().to_string(),
        ..OrderSnapshot::default()
    }
}

impl Harness {
    pub async fn start() -> Self {
        let database = Database::create(MIGRATORS).await;
        let clock = Arc::new(ManualClock::at(at()));
        let cx = Rewards {
            pool: database.pool.clone(),
            clock: clock.clone(),
            rules: Rules::default(),
        };
        ops::seed::seed(&cx).await.unwrap();
        Self { database, cx, clock }
    }

    pub fn grpc(&self) -> Grpc {
        Grpc(self.cx.clone())
    }

    pub async fn claim(
        &self,
        order: OrderId,
        consumer: ConsumerId,
        code: &str,
        cents: i64,
    ) -> Result<Discount, ServiceError> {
        self.ask(claiming(order, consumer, code, cents)).await
    }

    pub async fn ask(&self, request: ClaimDiscountRequest) -> Result<Discount, ServiceError> {
        into_result(self.grpc().claim_discount(by_ordering(request)).await)
    }

    pub async fn price(&self, consumer: ConsumerId, code: &str, cents: i64) -> Discount {
        let request = PriceDiscountRequest {
            consumer_id: consumer.to_string(),
            code: code.to_owned(),
            subtotal: usd(cents),
            store_id: String::new(),
        };
        into_result(self.grpc().price_discount(by_ordering(request)).await).unwrap()
    }

    pub async fn close_claim(&self, order: OrderId) -> bool {
        let request = by_ordering(CloseClaimRequest {
            order_id: order.to_string(),
        });
        into_result(self.grpc().close_claim(request).await).unwrap().released
    }

    pub async fn points(&self, consumer: ConsumerId) -> i64 {
        into_result(
            self.grpc()
                .get_points(request_from_consumer(consumer, GetPointsRequest {}))
                .await,
        )
        .unwrap()
        .balance
    }

    pub async fn entries(&self, consumer: ConsumerId) -> Vec<PointEntry> {
        let request = request_from_consumer(consumer, ListPointEntriesRequest { page: None });
        into_result(self.grpc().list_point_entries(request).await)
            .unwrap()
            .entries
    }

    pub async fn inbox(&self, consumer: ConsumerId, take: u32, skip: u32) -> ListInboxResponse {
        let request = request_from_consumer(
            consumer,
            ListInboxRequest {
                page: Some(Page { take, skip }),
            },
        );
        into_result(self.grpc().list_inbox(request).await).unwrap()
    }

    /// The newest message.
    pub async fn told(&self, consumer: ConsumerId) -> Option<InboxMessage> {
        self.inbox(consumer, 1, 0).await.messages.pop()
    }

    /// A fact arrives, for the first time.
    pub async fn hears<E: Event>(&self, fact: E) -> Result<(), ConsumeError> {
        self.receives(&delivery(&fact)).await
    }

    /// A fact arrives, perhaps again.
    pub async fn receives(&self, event: &Delivery) -> Result<(), ConsumeError> {
        kit::consumer::handle_once(&self.cx.pool, &Consumers(self.cx.clone()), event).await
    }

    /// How often a fact was published.
    pub async fn published(&self, kind: &str) -> usize {
        self.database
            .outbox_event_types()
            .await
            .iter()
            .filter(|published| *published == kind)
            .count()
    }

    /// When facts of a kind were written.
    pub async fn dated(&self, kind: &str) -> Vec<Timestamp> {
        let query = sqlx::query_scalar("SELECT occurred_at FROM outbox WHERE kind = $1").bind(kind);
        let dates: Vec<jiff_sqlx::Timestamp> = query.fetch_all(&self.cx.pool).await.unwrap();
        dates.into_iter().map(|date| date.to_jiff()).collect()
    }

    pub fn later(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }

    /// Ends it with an audit: whatever a test did, the books balance.
    pub async fn close(self) {
        let mut conn = self.cx.pool.acquire().await.unwrap();
        assert_eq!(ledger::audit(&mut conn).await.unwrap().faults, []);
        drop(conn);
        self.database.drop().await;
    }
}
