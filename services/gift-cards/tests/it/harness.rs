//! The service on a database of its own, in the words of the domain.

use std::sync::Arc;

use gift_cards::{GiftCards, MIGRATORS, consumers::Consumers, grpc::Grpc, ops};
use kit::{
    ServiceError,
    consumer::{ConsumeError, Delivery},
};
use ledger::{AccountId, Overdraft, Posting, Unit};
use proto::{
    events::Event,
    giftcards::v1::{
        CloseHoldRequest, GetWalletRequest, Hold, HoldValueRequest, ListTransactionsRequest, Transaction,
        gift_cards_server::GiftCards as _,
    },
    ordering::v1::{OrderSnapshot, TenderKind},
    values::v1::{Money, Page},
};
use testing::{Database, request_from_service, into_result};
pub use testing::{at, request_from_consumer, delivery, usd};
use tonic::Request;
use types::{ConsumerId, ManualClock, OrderId};

/// The service, and the consumers and orders around it.
pub struct Harness {
    database: Database,
    pub cx: GiftCards,
}

/// A call made by ordering.
pub fn by_ordering<T>(message: T) -> Request<T> {
    request_from_service("ordering", message)
}

/// What ordering asks for.
pub fn holding(order: OrderId, consumer: ConsumerId, cents: i64) -> HoldValueRequest {
    HoldValueRequest {
        order_id: order.to_string(),
        consumer_id: consumer.to_string(),
        balance_id: String::new(),
        amount: usd(cents),
        title: "Order at Sunset & Maltman".to_owned(),
    }
}

/// A fresh order.
pub fn order() -> OrderId {
    OrderId::new(at())
}

/// What every fact about an order that JoePass pays says.
pub fn joepass_order(order: OrderId) -> Option<OrderSnapshot> {
    Some(OrderSnapshot {
        order_id: order.to_string(),
        tender: TenderKind::Joepass.into(),
        ..OrderSnapshot::default()
    })
}

impl Harness {
    pub async fn start() -> Self {
        let database = Database::create(MIGRATORS).await;
        let cx = GiftCards {
            pool: database.pool.clone(),
            clock: Arc::new(ManualClock::at(at())),
        };
        Self { database, cx }
    }

    pub fn grpc(&self) -> Grpc {
        Grpc(self.cx.clone())
    }

    /// A consumer with so many cents on the JoePass.
    pub async fn consumer_with(&self, cents: i64) -> ConsumerId {
        let consumer = ConsumerId::new(at());
        let wallet = ops::get_wallet::get_wallet(&self.cx, consumer)
            .await
            .unwrap()
            .unwrap();
        if cents > 0 {
            let posting = Posting {
                reference: &format!("test:{consumer}"),
                from: ops::DEVELOPMENT,
                to: AccountId::from(wallet.id.uuid()),
                unit: Unit::Usd,
                amount: cents,
                overdraft: Overdraft::Refused,
                kind: "gift",
                explanation: "A gift for a test",
                subject: None,
                at: at(),
            };
            let mut conn = self.cx.pool.acquire().await.unwrap();
            ledger::post(&mut conn, posting).await.unwrap();
        }
        consumer
    }

    pub async fn hold(&self, order: OrderId, consumer: ConsumerId, cents: i64) -> Result<Hold, ServiceError> {
        self.ask(holding(order, consumer, cents)).await
    }

    pub async fn ask(&self, request: HoldValueRequest) -> Result<Hold, ServiceError> {
        into_result(self.grpc().hold_value(by_ordering(request)).await)
    }

    pub async fn close_hold(&self, order: OrderId) -> Hold {
        let request = by_ordering(CloseHoldRequest {
            order_id: order.to_string(),
        });
        self.grpc().close_hold(request).await.unwrap().into_inner()
    }

    /// What can be spent, and what is held.
    pub async fn wallet(&self, consumer: ConsumerId) -> (i64, i64) {
        let wallet = self
            .grpc()
            .get_wallet(request_from_consumer(consumer, GetWalletRequest {}))
            .await
            .unwrap()
            .into_inner();
        let [balance] = wallet.balances.as_slice() else {
            panic!("one balance, got {wallet:?}")
        };
        assert_eq!(balance.r#type, "joebucks");
        let cents = |amount: &Option<Money>| amount.as_ref().unwrap().minor_units;
        (cents(&balance.available), cents(&balance.held))
    }

    pub async fn transactions(&self, consumer: ConsumerId, take: u32, skip: u32) -> Vec<Transaction> {
        let request = ListTransactionsRequest {
            page: Some(Page { take, skip }),
        };
        let answer = self
            .grpc()
            .list_transactions(request_from_consumer(consumer, request))
            .await
            .unwrap();
        answer.into_inner().transactions
    }

    /// A fact arrives, for the first time.
    pub async fn hears<E: Event>(&self, fact: E) -> Result<(), ConsumeError> {
        self.receives(&delivery(&fact)).await
    }

    /// A fact arrives, perhaps again.
    pub async fn receives(&self, event: &Delivery) -> Result<(), ConsumeError> {
        kit::consumer::once(&self.cx.pool, &Consumers(self.cx.clone()), event).await
    }

    pub async fn published(&self) -> Vec<String> {
        self.database.outbox_kinds().await
    }

    /// What is on a system account, from its postings.
    pub async fn on(&self, account: AccountId) -> i64 {
        sqlx::query_scalar(
            "SELECT coalesce(sum(CASE to_account WHEN $1 THEN amount ELSE -amount END), 0)::bigint
             FROM ledger.postings WHERE $1 IN (from_account, to_account)",
        )
        .bind(account.uuid())
        .fetch_one(&self.cx.pool)
        .await
        .unwrap()
    }

    /// Ends it with an audit: whatever a test did, the books balance.
    pub async fn close(self) {
        let mut conn = self.cx.pool.acquire().await.unwrap();
        assert_eq!(ledger::audit(&mut conn).await.unwrap().faults, []);
        drop(conn);
        self.database.drop().await;
    }
}
