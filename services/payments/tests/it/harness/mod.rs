//! Test harness in domain terms: the service with a provider sandbox, consumers with cards, and orders with charges.

mod debts;
mod program;
mod sandbox;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kit::ServiceError;
use kit::lifecycle::Process;
use payments::audit::{audit_all, audit_new};
use payments::consumers::Consumers;
use payments::grpc::Grpc;
use payments::workers::effects::execute_due_effects;
use payments::{MIGRATOR, Payments, config};
use prost::Message as _;
use proto::events::Event;
use proto::ordering::v1::order_event::Change;
use proto::ordering::v1::{
    OrderAbandoned, OrderAccepted, OrderCancelled, OrderCompleted, OrderEvent, OrderReady, OrderRejected,
    OrderSnapshot, TenderKind,
};
use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{
    AddBankAccountRequest, AddCardRequest, AuthorizeChargeRequest, BankSession, Capture, Charge,
    ChargeDescription, ChargeEvent, ChargeItem, ChargePurpose, ChargeState, ChargeSubject,
    CloseChargeRequest, CreateBankSessionRequest, CreateSetupIntentRequest, ListFailedPaymentsRequest,
    ListFailedPaymentsResponse, ListPaymentMethodsRequest, PaymentDeclined, PaymentMethod,
    PaymentMethodEvent, PaymentSource, ReceiveProviderEventRequest, RecoverFailedPaymentsRequest,
    RecoverFailedPaymentsResponse, RefreshChargeRequest, RefundChargeRequest, SavePaymentMethodRequest,
    WalletKind, WalletPayment, charge_event, payment_method_event, payment_source::Source,
};
use serde_json::json;
use sqlx::postgres::PgPoolOptions;
use testing::{Database, delivery, into_result, request_from_consumer, request_from_service, usd};
use tonic::Request;
use types::{ConsumerId, OrderId, PurchaseId, SystemClock};

pub use debts::{OWED, owe, reasons, set_age};
pub use program::Program;
pub use sandbox::{Card, SECRET_KEY, Sandbox, WEBHOOK_SECRET, Webhook, record_webhook};

/// Total of an order, in cents.
pub const AMOUNT: i64 = 1_250;
/// Timeout of one call to the provider.
pub const TIMEOUT: Duration = Duration::from_millis(1_200);

pub struct Harness {
    pub database: Database,
    pub sandbox: Sandbox,
    pub cx: Payments,
}

impl Harness {
    pub async fn new() -> Self {
        Self::with_provider_timeout(TIMEOUT).await
    }

    pub async fn with_provider_timeout(timeout: Duration) -> Self {
        let sandbox = Sandbox::start().await;
        let database = Database::create(&[&MIGRATOR]).await;
        let cx = Self::payments(&database, &sandbox.origin, timeout);
        Self {
            database,
            sandbox,
            cx,
        }
    }

    /// Uses another server of the provider's API.
    pub fn use_provider(&mut self, origin: &str) {
        self.cx = Self::payments(&self.database, origin, TIMEOUT);
    }

    fn payments(database: &Database, provider_url: &str, timeout: Duration) -> Payments {
        let provider: config::ProviderConfig = serde_json::from_value(json!({
            "provider_url": provider_url,
            "provider_secret_key": sandbox::SECRET_KEY,
            "provider_publishable_key": sandbox::PUBLISHABLE_KEY,
            "provider_webhook_secret": sandbox::WEBHOOK_SECRET,
            "provider_timeout_ms": u64::try_from(timeout.as_millis()).unwrap(),
        }))
        .unwrap();
        let process = Process::detached("payments");
        let pool = database.pool.clone();
        let mut cx = Payments::new(&process, pool, &provider, Arc::new(SystemClock)).unwrap();
        cx.effects.backoff = Duration::from_millis(20);
        cx.effects.max_backoff = Duration::from_millis(200);
        cx
    }

    /// Waits for running tasks, asserts that the charges are consistent, and drops the database.
    pub async fn shut_down(self) {
        self.cx.process.tasks.close();
        self.cx.process.tasks.wait().await;
        let findings = audit_all(&self.cx.pool, now()).await.unwrap();
        assert_eq!(findings, []);
        self.database.drop().await;
    }

    pub fn grpc(&self) -> Grpc {
        Grpc(self.cx.clone())
    }

    /// Creates a consumer without payment methods.
    pub fn consumer(&self) -> Consumer<'_> {
        Consumer {
            harness: self,
            id: ConsumerId::new(now()),
        }
    }

    /// Returns a consumer who exists.
    pub fn consumer_of(&self, id: ConsumerId) -> Consumer<'_> {
        Consumer { harness: self, id }
    }

    /// Replaces the connections by one that scans a table sequentially only if no index can be used. The others have reported their
    /// statistics.
    pub async fn use_one_connection(&mut self) {
        let options = (*self.database.pool.connect_options()).clone();
        let options = options.options([("enable_seqscan", "off")]);
        self.database.pool.close().await;
        self.cx.pool = PgPoolOptions::new()
            .max_connections(1)
            .connect_with(options)
            .await
            .unwrap();
        let count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                       AND backend_type = 'client backend'";
        let is_only = async || -> bool {
            let count: i64 = sqlx::query_scalar(count).fetch_one(&self.cx.pool).await.unwrap();
            count == 1
        };
        for _ in 0..1_000 {
            if is_only().await {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("connections are still open");
    }

    /// Returns the number of sequential scans of these tables, with one connection, which reports its statistics on request.
    pub async fn count_sequential_scans(&self, tables: &[&str]) -> i64 {
        sqlx::query("SELECT pg_stat_force_next_flush()")
            .execute(&self.cx.pool)
            .await
            .unwrap();
        sqlx::query_scalar("SELECT sum(seq_scan)::bigint FROM pg_stat_user_tables WHERE relname = ANY ($1)")
            .bind(tables)
            .fetch_one(&self.cx.pool)
            .await
            .unwrap()
    }

    /// Creates a consumer with a payment method. Returns its id, too.
    pub async fn consumer_with(&self, card: Card) -> (Consumer<'_>, String) {
        let consumer = self.consumer();
        let method_id = consumer.add_method(card).await;
        (consumer, method_id)
    }

    pub async fn authorize(
        &self,
        order_id: OrderId,
        consumer: &Consumer<'_>,
        method_id: &str,
    ) -> Result<Charge, ServiceError> {
        self.authorize_amount(order_id, consumer, method_id, AMOUNT).await
    }

    pub async fn authorize_amount(
        &self,
        order_id: OrderId,
        consumer: &Consumer<'_>,
        method_id: &str,
        cents: i64,
    ) -> Result<Charge, ServiceError> {
        let request = AuthorizeChargeRequest {
            amount: usd(cents),
            ..authorize_request(order_id, consumer, method_id)
        };
        self.charge("ordering", request).await
    }

    /// Calls `AuthorizeCharge` as a service.
    pub async fn charge(
        &self,
        service: &str,
        request: AuthorizeChargeRequest,
    ) -> Result<Charge, ServiceError> {
        into_result(
            self.grpc()
                .authorize_charge(request_from_service(service, request))
                .await,
        )
    }

    pub async fn refund(
        &self,
        subject: ChargeSubject,
        refund_id: &str,
        cents: i64,
    ) -> Result<Charge, ServiceError> {
        let request = RefundChargeRequest {
            subject: Some(subject),
            amount: usd(cents),
            refund_id: refund_id.to_owned(),
        };
        into_result(
            self.grpc()
                .refund_charge(request_from_service("gift-cards", request))
                .await,
        )
    }

    pub async fn close(&self, order_id: OrderId) -> Charge {
        let request = CloseChargeRequest {
            subject: order_subject(order_id),
        };
        let response = self
            .grpc()
            .close_charge(request_from_service("ordering", request))
            .await;
        into_result(response).unwrap()
    }

    pub async fn close_subject(&self, subject: Option<ChargeSubject>) -> Charge {
        let request = request_from_service("gift-cards", CloseChargeRequest { subject });
        into_result(self.grpc().close_charge(request).await).unwrap()
    }

    pub async fn refresh_subject(&self, subject: Option<ChargeSubject>) -> Charge {
        let request = request_from_service("gift-cards", RefreshChargeRequest { subject });
        into_result(self.grpc().refresh_charge(request).await).unwrap()
    }

    pub async fn refresh(&self, order_id: OrderId) -> Result<Charge, ServiceError> {
        let request = RefreshChargeRequest {
            subject: order_subject(order_id),
        };
        into_result(
            self.grpc()
                .refresh_charge(request_from_service("ordering", request))
                .await,
        )
    }

    pub async fn receive_webhook(&self, webhook: &Webhook) -> Result<(), ServiceError> {
        let request = ReceiveProviderEventRequest {
            payload: webhook.payload.clone(),
            signature: webhook.signature.clone(),
        };
        let response = self
            .grpc()
            .receive_provider_event(request_from_service("gateway", request))
            .await;
        into_result(response).map(drop)
    }

    /// Forwards the sandbox's webhooks until the order's charge has this state.
    pub async fn receive_webhooks_until(&self, order_id: OrderId, state: ChargeState) {
        for _ in 0..600 {
            for webhook in self.sandbox.webhooks() {
                self.receive_webhook(&webhook).await.unwrap();
            }
            if self.stored_state(order_id).await == state.as_str_name().to_lowercase() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!(
            "expected state {state:?}, got {}",
            self.stored_state(order_id).await
        );
    }

    /// Consumes an event about an order that is paid by card.
    pub async fn consume_order_event(&self, order_id: OrderId, change: Change) {
        self.consume(&order_event(order_id, TenderKind::Card, change))
            .await;
    }

    pub async fn consume(&self, event: &impl Event) {
        kit::consumer::handle_once(&self.cx.pool, &Consumers(self.cx.clone()), &delivery(event))
            .await
            .unwrap();
    }

    /// Executes planned effects, with their retries, until none is left.
    pub async fn execute_effects(&self) {
        for _ in 0..400 {
            execute_due_effects(&self.cx).await.unwrap();
            let planned: i64 = sqlx::query_scalar("SELECT count(*) FROM effects WHERE state = 'planned'")
                .fetch_one(&self.cx.pool)
                .await
                .unwrap();
            if planned == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("effects are still planned");
    }

    /// Forwards the sandbox's webhooks until the query returns true.
    pub async fn receive_webhooks_until_true(&self, query: &'static str) {
        for _ in 0..600 {
            for webhook in self.sandbox.webhooks() {
                self.receive_webhook(&webhook).await.unwrap();
            }
            let is_true: bool = sqlx::query_scalar(query).fetch_one(&self.cx.pool).await.unwrap();
            if is_true {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("still false: {query}");
    }

    /// Returns the state in the charge's row, which can differ from the state in responses.
    pub async fn stored_state(&self, order_id: OrderId) -> String {
        sqlx::query_scalar("SELECT state FROM charges WHERE subject_id = $1")
            .bind(order_id.uuid())
            .fetch_one(&self.cx.pool)
            .await
            .unwrap()
    }

    pub async fn count_rows(&self, table: &'static str) -> i64 {
        sqlx::query_scalar(sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {table}")))
            .fetch_one(&self.cx.pool)
            .await
            .unwrap()
    }

    /// Audits the charges that changed. Returns the number of differences.
    pub async fn audit_new(&self) -> usize {
        let findings = audit_new(&self.cx.pool, now()).await.unwrap();
        findings.expect("no other process audits").len()
    }

    /// Returns the event about a declined payment.
    pub async fn declined_event(&self) -> PaymentDeclined {
        let payload: Vec<u8> =
            sqlx::query_scalar("SELECT payload FROM outbox WHERE kind = 'payments.PaymentDeclined'")
                .fetch_one(&self.cx.pool)
                .await
                .unwrap();
        let event = ChargeEvent::decode(payload.as_slice()).unwrap();
        match event.change {
            Some(charge_event::Change::Declined(declined)) => declined,
            change => panic!("{change:?}"),
        }
    }

    /// Returns whether each published event about a payment method reports its removal, oldest first.
    pub async fn method_removals(&self) -> Vec<bool> {
        let query = "SELECT payload FROM outbox WHERE kind = 'payments.MethodChanged' ORDER BY position";
        let payloads: Vec<Vec<u8>> = sqlx::query_scalar(query).fetch_all(&self.cx.pool).await.unwrap();
        let events = payloads.into_iter().map(|payload| {
            let event = PaymentMethodEvent::decode(payload.as_slice()).unwrap();
            let Some(payment_method_event::Change::MethodChanged(change)) = event.change else {
                panic!("{event:?}")
            };
            change.is_removed
        });
        events.collect()
    }

    /// Returns the types of the published events about charges, oldest first.
    pub async fn charge_events(&self) -> Vec<String> {
        let event_types = self.database.outbox_event_types().await;
        event_types
            .into_iter()
            .filter(|event_type| event_type != "payments.MethodChanged")
            .collect()
    }
}

pub struct Consumer<'a> {
    harness: &'a Harness,
    pub id: ConsumerId,
}

impl Consumer<'_> {
    pub fn request<T>(&self, message: T) -> Request<T> {
        request_from_consumer(self.id, message)
    }

    /// Adds a card or bank account as the web app does. Returns the id of the new payment method.
    pub async fn add_method(&self, card: Card) -> String {
        let before = self.list_methods().await;
        let methods = if matches!(card, Card::Bank) {
            let session = self.create_bank_session().await;
            self.harness
                .sandbox
                .confirm_setup(&session.client_secret, card)
                .await;
            self.add_bank_account().await.unwrap()
        } else {
            self.confirm_setup(card).await;
            self.add_card().await
        };
        let new = methods.into_iter().find(|method| !before.contains(method));
        new.expect("a new method").payment_method_id
    }

    /// Attaches a card or bank account at the provider, without importing it.
    pub async fn confirm_setup(&self, card: Card) {
        let client_secret = self.create_setup_intent().await;
        self.harness.sandbox.confirm_setup(&client_secret, card).await;
    }

    pub async fn create_setup_intent(&self) -> String {
        self.try_create_setup_intent().await.unwrap()
    }

    pub async fn try_create_setup_intent(&self) -> Result<String, ServiceError> {
        let response = self
            .harness
            .grpc()
            .create_setup_intent(self.request(CreateSetupIntentRequest {}))
            .await;
        let secret = into_result(response)?;
        assert_eq!(secret.publishable_key, sandbox::PUBLISHABLE_KEY);
        Ok(secret.client_secret)
    }

    pub async fn create_bank_session(&self) -> BankSession {
        let request = self.request(CreateBankSessionRequest {});
        into_result(self.harness.grpc().create_bank_session(request).await).unwrap()
    }

    pub async fn add_bank_account(&self) -> Result<Vec<PaymentMethod>, ServiceError> {
        let request = self.request(AddBankAccountRequest {});
        into_result(self.harness.grpc().add_bank_account(request).await).map(|list| list.methods)
    }

    pub async fn save_method(
        &self,
        setup_intent_id: &str,
        is_default: bool,
    ) -> Result<Vec<PaymentMethod>, ServiceError> {
        let request = self.request(SavePaymentMethodRequest {
            setup_intent_id: setup_intent_id.to_owned(),
            is_default,
        });
        into_result(self.harness.grpc().save_payment_method(request).await).map(|list| list.methods)
    }

    pub async fn failed_payments(&self) -> ListFailedPaymentsResponse {
        let request = self.request(ListFailedPaymentsRequest {});
        into_result(self.harness.grpc().list_failed_payments(request).await).unwrap()
    }

    /// Pays debts with a saved method or a wallet.
    pub async fn recover(
        &self,
        debt_ids: &[String],
        source: Option<PaymentSource>,
    ) -> Result<RecoverFailedPaymentsResponse, ServiceError> {
        let request = self.request(RecoverFailedPaymentsRequest {
            debt_ids: debt_ids.to_vec(),
            source,
        });
        into_result(self.harness.grpc().recover_failed_payments(request).await)
    }

    pub async fn add_card(&self) -> Vec<PaymentMethod> {
        let response = self
            .harness
            .grpc()
            .add_card(self.request(AddCardRequest {}))
            .await;
        into_result(response).unwrap().methods
    }

    pub async fn list_methods(&self) -> Vec<PaymentMethod> {
        let request = ListPaymentMethodsRequest::default();
        let response = self
            .harness
            .grpc()
            .list_payment_methods(self.request(request))
            .await;
        into_result(response).unwrap().methods
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the field of a request is optional")]
pub fn order_subject(order_id: OrderId) -> Option<ChargeSubject> {
    Some(ChargeSubject {
        purpose: ChargePurpose::Order.into(),
        id: order_id.to_string(),
    })
}

#[expect(clippy::unnecessary_wraps, reason = "the field of a request is optional")]
pub fn saved(method_id: &str) -> Option<PaymentSource> {
    Some(PaymentSource {
        source: Some(Source::PaymentMethodId(method_id.to_owned())),
        ..PaymentSource::default()
    })
}

#[expect(clippy::unnecessary_wraps, reason = "the field of a request is optional")]
pub fn wallet(kind: WalletKind, provider_payment_method_id: &str) -> Option<PaymentSource> {
    Some(PaymentSource {
        source: Some(Source::Wallet(WalletPayment {
            kind: kind.into(),
            provider_payment_method_id: provider_payment_method_id.to_owned(),
        })),
        ..PaymentSource::default()
    })
}

/// Returns a request to charge [`AMOUNT`] at once for a top-up.
pub fn top_up_request(consumer: &Consumer<'_>, method_id: &str) -> AuthorizeChargeRequest {
    AuthorizeChargeRequest {
        subject: Some(ChargeSubject {
            purpose: ChargePurpose::TopUp.into(),
            id: PurchaseId::new(now()).to_string(),
        }),
        capture: Capture::Now.into(),
        ..authorize_request(new_order_id(), consumer, method_id)
    }
}

/// Returns a request to authorize [`AMOUNT`] for an order of two items.
pub fn authorize_request(
    order_id: OrderId,
    consumer: &Consumer<'_>,
    method_id: &str,
) -> AuthorizeChargeRequest {
    let item = |name: &str| ChargeItem {
        name: name.to_owned(),
        quantity: 1,
    };
    AuthorizeChargeRequest {
        subject: order_subject(order_id),
        consumer_id: consumer.id.to_string(),
        source: saved(method_id),
        amount: usd(AMOUNT),
        capture: Capture::Later.into(),
        description: Some(ChargeDescription {
            name: "Sunset & Maltman".to_owned(),
            items: vec![item("Latte"), item("Croissant")],
        }),
    }
}

pub fn order_event(order_id: OrderId, tender: TenderKind, change: Change) -> OrderEvent {
    OrderEvent {
        order: Some(OrderSnapshot {
            order_id: order_id.to_string(),
            tender: tender.into(),
            ..OrderSnapshot::default()
        }),
        change: Some(change),
    }
}

pub fn accepted() -> Change {
    Change::Accepted(OrderAccepted {})
}

pub fn ready() -> Change {
    Change::Ready(OrderReady {})
}

pub fn completed() -> Change {
    Change::Completed(OrderCompleted::default())
}

pub fn abandoned() -> Change {
    Change::Abandoned(OrderAbandoned::default())
}

pub fn cancelled() -> Change {
    Change::Cancelled(OrderCancelled::default())
}

pub fn rejected() -> Change {
    Change::Rejected(OrderRejected::default())
}

pub fn new_order_id() -> OrderId {
    OrderId::new(now())
}

pub fn now() -> Timestamp {
    types::Clock::now(&SystemClock)
}

/// Returns the path of a development program, in `BIN_DIR` or beside this test's binary.
fn development_binary(name: &str) -> PathBuf {
    let directory = std::env::var_os("BIN_DIR").map_or_else(
        || {
            let test_binary = std::env::current_exe().unwrap();
            test_binary
                .parent()
                .and_then(|deps| deps.parent())
                .unwrap()
                .to_owned()
        },
        PathBuf::from,
    );
    directory.join(name)
}
