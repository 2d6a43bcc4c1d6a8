//! The service with its own seeded database, and requests and events for it.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use kit::{
    ServiceError,
    consumer::{ConsumeError, Delivery},
};
use proto::{
    accounts::v1::{ConsumerEvent, ConsumerRegistered, ConsumerRemoved, consumer_event},
    events::Event,
    giftcards::v1::{BalanceEvent, HoldRefunded, balance_event},
    ordering::v1::{
        EndReason, OrderAbandoned, OrderCancelled, OrderCompleted, OrderDelayed, OrderEnd, OrderEvent,
        OrderPaymentFailed, OrderReady, OrderRejected, OrderSnapshot, TenderKind, order_event::Change,
    },
    payments::v1::{ChargeEvent, ChargePurpose, ChargeSnapshot, ChargeSubject, RefundDone, charge_event},
    rewards::v1::{
        ClaimChallengeRequest, ClaimDiscountRequest, ClaimedChallenge, CloseClaimRequest, Discount,
        GetPointsRequest, InboxMessage, ListInboxRequest, ListInboxResponse, ListOffersRequest,
        ListPointEntriesRequest, OfferList, PointEntry, PriceDiscountRequest, rewards_server::Rewards as _,
    },
    values::v1::{JourneyStep, Page},
};
use rewards::{InboxRetention, MIGRATORS, Rewards, Rules, consumers::Consumers, grpc::Grpc, ops};
use secrecy::SecretString;
use testing::{Database, into_result, request_from_service};
pub use testing::{at, delivery, request_from_consumer, usd};
use types::{ConsumerId, ManualClock, OrderId, StoreId};

pub const PHONE_HASH: &str = "hash of a number";

pub struct Harness {
    database: Database,
    pub cx: Rewards,
    pub clock: Arc<ManualClock>,
}

pub fn new_consumer() -> ConsumerId {
    ConsumerId::new(at())
}

pub fn new_order() -> OrderId {
    OrderId::new(at())
}

/// In the app, so that all codes apply.
pub fn claim_request(
    order_id: OrderId,
    consumer_id: ConsumerId,
    code: &str,
    cents: i64,
) -> ClaimDiscountRequest {
    ClaimDiscountRequest {
        order_id: order_id.to_string(),
        consumer_id: consumer_id.to_string(),
        code: code.to_owned(),
        subtotal: usd(cents),
        store_id: StoreId::new(at()).to_string(),
        journey_step: JourneyStep::App.into(),
        time_zone: String::new(),
        drink_price: None,
        company_id: String::new(),
    }
}

/// An order of $6.40 before tax, paid with JoePass.
pub fn order_snapshot(order_id: OrderId, consumer_id: ConsumerId) -> OrderSnapshot {
    OrderSnapshot {
        order_id: order_id.to_string(),
        consumer_id: consumer_id.to_string(),
        tender: TenderKind::Joepass.into(),
        total_minor_units: 752,
        earning_minor_units: 640,
        currency: "usd".to_owned(),
        store_name: "Sunset & Maltman".to_owned(),
        pickup_number: "42".to_owned(),
        changed_at: at().to_string(),
        ..OrderSnapshot::default()
    }
}

fn order_event(order: OrderSnapshot, change: Change) -> OrderEvent {
    OrderEvent {
        order: Some(order),
        change: Some(change),
    }
}

pub fn ready(order: OrderSnapshot) -> OrderEvent {
    order_event(order, Change::Ready(OrderReady {}))
}

pub fn completed(order: OrderSnapshot) -> OrderEvent {
    order_event(order, Change::Completed(OrderCompleted { items: Vec::new() }))
}

/// The store gives the reason "The grinder is down."
pub fn delayed(order: OrderSnapshot) -> OrderEvent {
    let delayed = OrderDelayed {
        reason: "The grinder is down.".to_owned(),
        ..OrderDelayed::default()
    };
    order_event(order, Change::Delayed(delayed))
}

pub fn payment_failed(order: OrderSnapshot) -> OrderEvent {
    order_event(order, Change::PaymentFailed(OrderPaymentFailed {}))
}

pub fn abandoned(order: OrderSnapshot) -> OrderEvent {
    let end = Some(order_end(EndReason::PlacementFailed));
    order_event(order, Change::Abandoned(OrderAbandoned { end }))
}

pub fn cancelled(order: OrderSnapshot, end: OrderEnd) -> OrderEvent {
    order_event(order, Change::Cancelled(OrderCancelled { end: Some(end) }))
}

pub fn rejected(order: OrderSnapshot, end: OrderEnd) -> OrderEvent {
    order_event(order, Change::Rejected(OrderRejected { end: Some(end) }))
}

/// The end of an order that was not charged.
pub fn order_end(reason: EndReason) -> OrderEnd {
    OrderEnd {
        reason: reason.into(),
        charged: false,
        message: String::new(),
    }
}

/// A refund of an order.
pub fn refund(order_id: OrderId, consumer_id: ConsumerId, cents: i64) -> ChargeEvent {
    refunded(ChargeSnapshot {
        subject: Some(ChargeSubject {
            purpose: ChargePurpose::Order.into(),
            id: order_id.to_string(),
        }),
        consumer_id: consumer_id.to_string(),
        amount_minor_units: cents,
        currency: "usd".to_owned(),
        changed_at: at().to_string(),
        ..ChargeSnapshot::default()
    })
}

/// A refund of an order to JoePass.
pub fn hold_refunded(order_id: OrderId, consumer_id: ConsumerId, cents: i64) -> BalanceEvent {
    let refunded = HoldRefunded {
        amount_minor_units: cents,
        currency: "usd".to_owned(),
        order_id: order_id.to_string(),
        refund_id: testing::unique_name(),
        balance_name: "JoePass".to_owned(),
        refunded_at: at().to_string(),
    };
    BalanceEvent {
        consumer_id: consumer_id.to_string(),
        balance_id: String::new(),
        change: Some(balance_event::Change::HoldRefunded(refunded)),
    }
}

/// A refund of the whole charge.
pub fn refunded(charge: ChargeSnapshot) -> ChargeEvent {
    let refund = RefundDone {
        refund_id: testing::unique_name(),
        amount_minor_units: charge.amount_minor_units,
    };
    ChargeEvent {
        charge: Some(charge),
        change: Some(charge_event::Change::Refunded(refund)),
    }
}

/// The registration of a consumer who was invited. `phone_hash` identifies the phone number.
pub fn invited_consumer_registered(
    consumer_id: ConsumerId,
    phone_hash: &str,
    referrer_id: ConsumerId,
) -> ConsumerEvent {
    let registered = ConsumerRegistered {
        registered_at: String::new(),
        referrer_id: referrer_id.to_string(),
    };
    ConsumerEvent {
        phone_hash: phone_hash.to_owned(),
        ..consumer_event(consumer_id, consumer_event::Change::Registered(registered))
    }
}

pub fn consumer_registered(consumer_id: ConsumerId) -> ConsumerEvent {
    consumer_event(
        consumer_id,
        consumer_event::Change::Registered(ConsumerRegistered {
            registered_at: String::new(),
            referrer_id: String::new(),
        }),
    )
}

pub fn consumer_removed(consumer_id: ConsumerId) -> ConsumerEvent {
    consumer_event(consumer_id, consumer_event::Change::Removed(ConsumerRemoved {}))
}

fn consumer_event(consumer_id: ConsumerId, change: consumer_event::Change) -> ConsumerEvent {
    ConsumerEvent {
        consumer_id: consumer_id.to_string(),
        phone_hash: PHONE_HASH.to_owned(),
        change: Some(change),
    }
}

impl Harness {
    pub async fn start() -> Self {
        let database = Database::create(MIGRATORS).await;
        let clock = Arc::new(ManualClock::at(at()));
        let cx = Rewards {
            pool: database.pool.clone(),
            clock: clock.clone(),
            default_time_zone: TimeZone::get("America/Los_Angeles").unwrap(),
            rules: Rules::default(),
            retention: InboxRetention::default(),
        };
        ops::seed::seed(&cx).await.unwrap();
        Self { database, cx, clock }
    }

    pub fn database_url(&self) -> &SecretString {
        &self.database.url
    }

    /// Waits until this many statements wait for a lock.
    pub async fn wait_for_blocked(&self, count: i64) {
        self.database.wait_for_blocked(count).await;
    }

    pub fn grpc(&self) -> Grpc {
        Grpc(self.cx.clone())
    }

    pub async fn claim(
        &self,
        order_id: OrderId,
        consumer_id: ConsumerId,
        code: &str,
        cents: i64,
    ) -> Result<Discount, ServiceError> {
        self.claim_discount(claim_request(order_id, consumer_id, code, cents))
            .await
    }

    /// Calls `ClaimDiscount` as ordering.
    pub async fn claim_discount(&self, request: ClaimDiscountRequest) -> Result<Discount, ServiceError> {
        let request = request_from_service("ordering", request);
        into_result(self.grpc().claim_discount(request).await)
    }

    /// Calls `PriceDiscount` as ordering for the app.
    pub async fn price(&self, consumer_id: ConsumerId, code: &str, cents: i64) -> Discount {
        let request = PriceDiscountRequest {
            consumer_id: consumer_id.to_string(),
            code: code.to_owned(),
            subtotal: usd(cents),
            store_id: String::new(),
            journey_step: JourneyStep::App.into(),
            time_zone: String::new(),
            drink_price: None,
            company_id: String::new(),
        };
        self.price_discount(request).await.unwrap()
    }

    pub async fn price_discount(&self, request: PriceDiscountRequest) -> Result<Discount, ServiceError> {
        let request = request_from_service("ordering", request);
        into_result(self.grpc().price_discount(request).await)
    }

    /// Calls `CloseClaim` as ordering.
    pub async fn close_claim(&self, order_id: OrderId) -> bool {
        let request = CloseClaimRequest {
            order_id: order_id.to_string(),
        };
        let request = request_from_service("ordering", request);
        into_result(self.grpc().close_claim(request).await)
            .unwrap()
            .released
    }

    pub async fn points(&self, consumer_id: ConsumerId) -> i64 {
        let request = request_from_consumer(consumer_id, GetPointsRequest::default());
        into_result(self.grpc().get_points(request).await)
            .unwrap()
            .balance
    }

    pub async fn point_entries(&self, consumer_id: ConsumerId) -> Vec<PointEntry> {
        let request = request_from_consumer(consumer_id, ListPointEntriesRequest { page: None });
        into_result(self.grpc().list_point_entries(request).await)
            .unwrap()
            .entries
    }

    pub async fn inbox(&self, consumer_id: ConsumerId, take: u32, skip: u32) -> ListInboxResponse {
        let page = Some(Page { take, skip });
        let request = request_from_consumer(consumer_id, ListInboxRequest { page });
        into_result(self.grpc().list_inbox(request).await).unwrap()
    }

    pub async fn latest_message(&self, consumer_id: ConsumerId) -> Option<InboxMessage> {
        self.inbox(consumer_id, 1, 0).await.messages.pop()
    }

    /// Completes an order of $6.40 and returns its id.
    pub async fn complete_order(&self, consumer_id: ConsumerId) -> OrderId {
        let order_id = new_order();
        let order = order_snapshot(order_id, consumer_id);
        self.receive(completed(order)).await.unwrap();
        order_id
    }

    pub async fn offers(&self, consumer_id: ConsumerId, day: &str) -> Result<OfferList, ServiceError> {
        let request = ListOffersRequest {
            day: day.to_owned(),
            time_zone: String::new(),
        };
        let request = request_from_consumer(consumer_id, request);
        into_result(self.grpc().list_offers(request).await)
    }

    pub async fn claim_challenge(
        &self,
        consumer_id: ConsumerId,
        challenge_id: &str,
    ) -> Result<ClaimedChallenge, ServiceError> {
        let request = ClaimChallengeRequest {
            challenge_id: challenge_id.to_owned(),
        };
        let request = request_from_consumer(consumer_id, request);
        into_result(self.grpc().claim_challenge(request).await)
    }

    pub async fn count_claims(&self) -> i64 {
        sqlx::query_scalar("SELECT count(*) FROM claims")
            .fetch_one(&self.cx.pool)
            .await
            .unwrap()
    }

    /// Consumes a new delivery of the event.
    pub async fn receive<E: Event>(&self, event: E) -> Result<(), ConsumeError> {
        self.consume(&delivery(&event)).await
    }

    /// Consumes a delivery, which may have been consumed before.
    pub async fn consume(&self, delivery: &Delivery) -> Result<(), ConsumeError> {
        kit::consumer::handle_once(&self.cx.pool, &Consumers(self.cx.clone()), delivery).await
    }

    /// Returns how many events of a type are in the outbox.
    pub async fn count_published(&self, event_type: &str) -> usize {
        self.database
            .outbox_event_types()
            .await
            .iter()
            .filter(|published| *published == event_type)
            .count()
    }

    /// Returns the times of the events of a type in the outbox.
    pub async fn published_at(&self, event_type: &str) -> Vec<Timestamp> {
        let query = sqlx::query_scalar("SELECT occurred_at FROM outbox WHERE kind = $1").bind(event_type);
        let times: Vec<jiff_sqlx::Timestamp> = query.fetch_all(&self.cx.pool).await.unwrap();
        times.into_iter().map(jiff_sqlx::Timestamp::to_jiff).collect()
    }

    pub fn advance_clock(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }

    /// Asserts that the ledger balances, and drops the database.
    pub async fn close(self) {
        let audit = ledger::audit_all(&self.cx.pool, &ops::audit::RULES)
            .await
            .unwrap();
        assert_eq!(audit.findings, []);
        self.database.drop().await;
    }
}
