//! The service with its own database, and requests and events for it.

use std::sync::Arc;

use gift_cards::{
    GiftCards, MIGRATORS,
    accounts::DEVELOPMENT,
    clients::Clients,
    config::{Config, Rules},
    consumers::Consumers,
    domain::{secret::Secret, wallet::BalanceSource},
    grpc::Grpc,
    ops,
};
use jiff::{SignedDuration, Timestamp};
use kit::{
    ServiceError,
    caller::CallerKey,
    config::Source,
    consumer::{ConsumeError, Delivery},
    lifecycle::Process,
};
use ledger::{AccountId, AuditFinding, Overdraft, Posting, Unit};
use prost::Message;
use proto::{
    accounts::v1::{ConsumerEvent, ConsumerRemoved, consumer_event},
    events::Event,
    giftcards::v1::{
        Balance, CloseHoldRequest, GetWalletRequest, Hold, HoldValueRequest, ListTransactionsRequest,
        PurchaseEvent, RefundHoldRequest, Transaction, gift_cards_server::GiftCards as _, purchase_event,
    },
    ordering::v1::{
        OrderAbandoned, OrderAccepted, OrderCancelled, OrderEvent, OrderRejected, OrderSnapshot, TenderKind,
        order_event::Change,
    },
    values::v1::{Money, Page},
};
use secrecy::SecretString;
use testing::{Database, into_result};
pub use testing::{at, delivery, request_from_consumer, request_from_service, usd};
use types::{BalanceId, ConsumerId, ManualClock, OrderId};

use crate::fake_services::FakeServices;

pub const SECRET: &str = "a secret for codes and PINs, in tests";
pub const CALLER_SECRET: &str = "a-secret-that-only-these-tests-know";

pub struct Harness {
    pub database: Database,
    pub cx: GiftCards,
    pub clock: Arc<ManualClock>,
    pub services: FakeServices,
}

/// Settings for a service that calls the fakes.
pub fn settings(services: &FakeServices) -> Source {
    Source::from_environment()
        .with("accounts_address", &services.url())
        .with("payments_address", &services.url())
        .with("stores_address", &services.url())
}

pub fn hold_request(order_id: OrderId, consumer_id: ConsumerId, cents: i64) -> HoldValueRequest {
    HoldValueRequest {
        order_id: order_id.to_string(),
        consumer_id: consumer_id.to_string(),
        balance_id: String::new(),
        amount: usd(cents),
        title: "Order at Sunset & Maltman".to_owned(),
        store_id: String::new(),
        company_id: String::new(),
    }
}

pub fn new_order() -> OrderId {
    OrderId::new(at())
}

/// An event of an order paid with JoePass.
pub fn order_event(order_id: OrderId, change: Change) -> OrderEvent {
    OrderEvent {
        order: Some(OrderSnapshot {
            order_id: order_id.to_string(),
            tender: TenderKind::Joepass.into(),
            ..OrderSnapshot::default()
        }),
        change: Some(change),
    }
}

pub fn accepted(order_id: OrderId) -> OrderEvent {
    order_event(order_id, Change::Accepted(OrderAccepted {}))
}

pub fn abandoned(order_id: OrderId) -> OrderEvent {
    order_event(order_id, Change::Abandoned(OrderAbandoned { end: None }))
}

pub fn cancelled(order_id: OrderId) -> OrderEvent {
    order_event(order_id, Change::Cancelled(OrderCancelled { end: None }))
}

pub fn rejected(order_id: OrderId) -> OrderEvent {
    order_event(order_id, Change::Rejected(OrderRejected { end: None }))
}

pub fn consumer_removed(consumer_id: ConsumerId) -> ConsumerEvent {
    ConsumerEvent {
        consumer_id: consumer_id.to_string(),
        phone_hash: String::new(),
        change: Some(consumer_event::Change::Removed(ConsumerRemoved {})),
    }
}

impl Harness {
    pub async fn start() -> Self {
        let database = Database::create(MIGRATORS).await;
        let services = FakeServices::start().await;
        let source = settings(&services);
        let config: Config = source.read().unwrap();
        let rules = Rules {
            audit_settle_seconds: 0,
            ..source.read().unwrap()
        };
        let key = CallerKey::new(&SecretString::from(CALLER_SECRET)).unwrap();
        let clock = Arc::new(ManualClock::at(at()));
        let cx = GiftCards {
            pool: database.pool.clone(),
            clock: clock.clone(),
            clients: Clients::new(&config, &key).unwrap(),
            rules,
            secret: Secret::new(&SecretString::from(SECRET)).unwrap(),
            process: Process::detached("gift-cards"),
        };
        Self {
            database,
            cx,
            clock,
            services,
        }
    }

    pub fn now(&self) -> Timestamp {
        self.cx.clock.now()
    }

    /// Advances the clock of this process. The database has its own.
    pub fn advance_clock(&self, by: SignedDuration) {
        self.clock.advance(by);
    }

    /// Lets time pass for this process, for messages and for rules. When these are due is a time of the database's clock.
    pub async fn pass_time(&self, by: SignedDuration) {
        self.advance_clock(by);
        for statement in [
            "UPDATE auto_reload_rules SET due_at = due_at - make_interval(secs => $1)",
            "UPDATE gift_card_deliveries SET due_at = due_at - make_interval(secs => $1)",
        ] {
            sqlx::query(statement)
                .bind(by.as_secs_f64())
                .execute(&self.cx.pool)
                .await
                .unwrap();
        }
    }

    /// Lets the leases of sagas expire. Leases use the database's clock.
    pub async fn expire_leases(&self) {
        self.execute("UPDATE purchases SET lease_until = lease_until - interval '1 hour' WHERE lease_until IS NOT NULL")
            .await;
    }

    /// Returns the id of the consumer's JoePass.
    pub async fn joepass(&self, consumer_id: ConsumerId) -> BalanceId {
        let wallet = ops::get_wallet::get_wallet(&self.cx, consumer_id).await.unwrap();
        let joepass = wallet
            .into_iter()
            .find(|balance| balance.source == BalanceSource::JoePass);
        joepass.unwrap().id
    }

    /// Returns all balances of the consumer.
    pub async fn balances(&self, consumer_id: ConsumerId) -> Vec<Balance> {
        let request = request_from_consumer(consumer_id, GetWalletRequest {});
        into_result(self.grpc().get_wallet(request).await)
            .unwrap()
            .balances
    }

    pub fn grpc(&self) -> Grpc {
        Grpc(self.cx.clone())
    }

    /// Creates a consumer with this JoePass balance.
    pub async fn consumer_with(&self, cents: i64) -> ConsumerId {
        let consumer_id = ConsumerId::new(at());
        let joepass = self.joepass(consumer_id).await;
        if cents > 0 {
            let posting = Posting {
                reference: &format!("test:{consumer_id}"),
                from: DEVELOPMENT,
                to: AccountId::from(joepass.uuid()),
                unit: Unit::Usd,
                amount: cents,
                overdraft: Overdraft::Forbidden,
                kind: "gift",
                explanation: "Gift in a test",
                subject: None,
                at: at(),
            };
            let mut conn = self.cx.pool.acquire().await.unwrap();
            ledger::post(&mut conn, posting).await.unwrap();
        }
        consumer_id
    }

    pub async fn hold(
        &self,
        order_id: OrderId,
        consumer_id: ConsumerId,
        cents: i64,
    ) -> Result<Hold, ServiceError> {
        self.hold_value(hold_request(order_id, consumer_id, cents)).await
    }

    /// Calls `HoldValue` as ordering.
    pub async fn hold_value(&self, request: HoldValueRequest) -> Result<Hold, ServiceError> {
        into_result(
            self.grpc()
                .hold_value(request_from_service("ordering", request))
                .await,
        )
    }

    /// Calls `RefundHold` as ordering.
    pub async fn refund_hold(
        &self,
        order_id: OrderId,
        refund_id: &str,
        cents: i64,
    ) -> Result<Hold, ServiceError> {
        let request = RefundHoldRequest {
            order_id: order_id.to_string(),
            amount: usd(cents),
            refund_id: refund_id.to_owned(),
        };
        into_result(
            self.grpc()
                .refund_hold(request_from_service("ordering", request))
                .await,
        )
    }

    /// Calls `CloseHold` as ordering.
    pub async fn close_hold(&self, order_id: OrderId) -> Hold {
        let request = CloseHoldRequest {
            order_id: order_id.to_string(),
        };
        let response = self
            .grpc()
            .close_hold(request_from_service("ordering", request))
            .await;
        into_result(response).unwrap()
    }

    /// Returns the available and the held amount, in cents.
    pub async fn wallet(&self, consumer_id: ConsumerId) -> (i64, i64) {
        let request = request_from_consumer(consumer_id, GetWalletRequest {});
        let wallet = into_result(self.grpc().get_wallet(request).await).unwrap();
        let [balance] = wallet.balances.as_slice() else {
            panic!("expected one balance, got {wallet:?}")
        };
        assert_eq!(balance.r#type, "joebucks");
        let cents = |amount: &Option<Money>| amount.as_ref().unwrap().minor_units;
        (cents(&balance.available), cents(&balance.held))
    }

    pub async fn transactions(&self, consumer_id: ConsumerId, take: u32, skip: u32) -> Vec<Transaction> {
        let request = ListTransactionsRequest {
            page: Some(Page { take, skip }),
            balance_id: String::new(),
        };
        let response = self
            .grpc()
            .list_transactions(request_from_consumer(consumer_id, request))
            .await;
        into_result(response).unwrap().transactions
    }

    /// Consumes a new delivery of the event.
    pub async fn receive<E: Event>(&self, event: E) -> Result<(), ConsumeError> {
        self.consume(&delivery(&event)).await
    }

    /// Consumes a delivery, which may have been consumed before.
    pub async fn consume(&self, delivery: &Delivery) -> Result<(), ConsumeError> {
        kit::consumer::handle_once(&self.cx.pool, &Consumers(self.cx.clone()), delivery).await
    }

    /// Returns the types of the events in the outbox, oldest first.
    pub async fn published(&self) -> Vec<String> {
        self.database.outbox_event_types().await
    }

    /// Returns the events about purchases in the outbox, oldest first.
    pub async fn purchase_events(&self) -> Vec<PurchaseEvent> {
        let payloads: Vec<Vec<u8>> = sqlx::query_scalar(
            "SELECT payload FROM outbox WHERE kind LIKE 'gift-cards.%' AND kind <> ALL ($1) ORDER BY position",
        )
        .bind(vec![
            "gift-cards.BalanceChanged",
            "gift-cards.RefundCredited",
            "gift-cards.HoldRefunded",
        ])
        .fetch_all(&self.cx.pool)
        .await
        .unwrap();
        let events = payloads
            .iter()
            .map(|payload| PurchaseEvent::decode(payload.as_slice()));
        events.map(Result::unwrap).collect()
    }

    /// Returns the shortfalls of returned purchases, in cents.
    pub async fn shortfalls(&self) -> Vec<i64> {
        let events = self.purchase_events().await.into_iter();
        events
            .filter_map(|event| match event.change {
                Some(purchase_event::Change::PurchaseReturned(returned)) => {
                    Some(returned.shortfall_minor_units)
                }
                _ => None,
            })
            .collect()
    }

    /// Returns whether nothing had been issued of each returned purchase.
    pub async fn pending_returns(&self) -> Vec<bool> {
        let events = self.purchase_events().await.into_iter();
        events
            .filter_map(|event| match event.change {
                Some(purchase_event::Change::PurchaseReturned(returned)) => Some(returned.was_pending),
                _ => None,
            })
            .collect()
    }

    /// Returns whether the rule was paused by each returned purchase.
    pub async fn pauses_by_returns(&self) -> Vec<bool> {
        let events = self.purchase_events().await.into_iter();
        events
            .filter_map(|event| match event.change {
                Some(purchase_event::Change::PurchaseReturned(returned)) => Some(returned.auto_reload_paused),
                _ => None,
            })
            .collect()
    }

    /// Returns whether each confirmed purchase was known to be pending.
    pub async fn confirmations(&self) -> Vec<bool> {
        let events = self.purchase_events().await.into_iter();
        events
            .filter_map(|event| match event.change {
                Some(purchase_event::Change::PurchaseConfirmed(confirmed)) => Some(confirmed.was_pending),
                _ => None,
            })
            .collect()
    }

    /// Returns the sum of a system account's postings, in cents.
    pub async fn sum_of_postings(&self, account: AccountId) -> i64 {
        sqlx::query_scalar(
            "SELECT coalesce(sum(CASE to_account WHEN $1 THEN amount ELSE -amount END), 0)::bigint
             FROM ledger.postings WHERE $1 IN (from_account, to_account)",
        )
        .bind(account.uuid())
        .fetch_one(&self.cx.pool)
        .await
        .unwrap()
    }

    pub fn database_url(&self) -> &SecretString {
        &self.database.url
    }

    pub async fn execute(&self, sql: &'static str) {
        sqlx::query(sql).execute(&self.cx.pool).await.unwrap();
    }

    pub async fn audit_findings(&self) -> Vec<AuditFinding> {
        let audit = ledger::audit_all(&self.cx.pool, &ops::audit::RULES)
            .await
            .unwrap();
        audit.findings
    }

    /// Asserts that the ledger is consistent, and drops the database.
    pub async fn close(self) {
        assert_eq!(self.audit_findings().await, []);
        assert_eq!(ops::audit::audit_purchases(&self.cx).await.unwrap(), []);
        self.database.drop().await;
    }
}
