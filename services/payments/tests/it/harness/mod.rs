//! Speaks the domain: a world with a provider, consumers with cards, orders that are charged.

mod program;
mod sandbox;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kit::ServiceError;
use callers::Caller;
use kit::consumer::Delivery;
use kit::lifecycle::Process;
use payments::consumers::Consumers;
use payments::grpc::Grpc;
use payments::{MIGRATOR, Payments, config, workers};
use proto::events::Event;
use proto::ordering::v1::{OrderSnapshot, TenderKind};
use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{
    AddCardRequest, AuthorizeChargeRequest, Charge, ChargeState, CloseChargeRequest, CreateCardSecretRequest,
    ListPaymentMethodsRequest, PaymentMethod, ReceiveProviderEventRequest, RefreshChargeRequest,
};
use proto::values::v1::Money;
use serde_json::json;
use testing::Database;
use tonic::{Request, Response, Status};
use types::{ConsumerId, EventId, OrderId, SessionId, SystemClock};

pub use program::Program;
pub use sandbox::{Card, Sandbox, Webhook};

/// What an order in these tests costs, in cents.
pub const AMOUNT: i64 = 1_250;
/// How long one call to the provider may take here.
pub const TIMEOUT: Duration = Duration::from_millis(1_200);

pub struct World {
    pub database: Database,
    pub sandbox: Sandbox,
    pub cx: Payments,
}

impl World {
    pub async fn new() -> Self {
        let sandbox = Sandbox::start().await;
        let database = Database::create(&[&MIGRATOR]).await;
        let provider: config::Provider = serde_json::from_value(json!({
            "provider_url": sandbox.origin,
            "provider_secret_key": sandbox::SECRET_KEY,
            "provider_publishable_key": sandbox::PUBLISHABLE_KEY,
            "provider_webhook_secret": sandbox::WEBHOOK_SECRET,
            "provider_timeout_ms": u64::try_from(TIMEOUT.as_millis()).unwrap(),
        }))
        .unwrap();
        let process = Process::detached("payments");
        let mut cx =
            Payments::new(&process, database.pool.clone(), &provider, Arc::new(SystemClock)).unwrap();
        cx.effects.backoff = Duration::from_millis(20);
        cx.effects.backoff_most = Duration::from_millis(200);
        cx.effects.attempts = 8;
        Self {
            database,
            sandbox,
            cx,
        }
    }

    /// Waits for what was begun, and takes the world down.
    pub async fn end(self) {
        self.cx.process.tasks.close();
        self.cx.process.tasks.wait().await;
        self.database.drop().await;
    }

    pub fn grpc(&self) -> Grpc {
        Grpc(self.cx.clone())
    }

    pub fn consumer(&self) -> Consumer<'_> {
        self.consumer_of(ConsumerId::new(now()))
    }

    pub fn consumer_of(&self, id: ConsumerId) -> Consumer<'_> {
        Consumer { world: self, id }
    }

    pub async fn authorize(
        &self,
        order: OrderId,
        consumer: &Consumer<'_>,
        method: &str,
    ) -> Result<Charge, ServiceError> {
        self.authorize_amount(order, consumer, method, AMOUNT).await
    }

    pub async fn authorize_amount(
        &self,
        order: OrderId,
        consumer: &Consumer<'_>,
        method: &str,
        cents: i64,
    ) -> Result<Charge, ServiceError> {
        let request = AuthorizeChargeRequest {
            order_id: order.to_string(),
            consumer_id: consumer.id.to_string(),
            payment_method_id: method.to_owned(),
            amount: Some(Money {
                minor_units: cents,
                currency: "usd".into(),
            }),
        };
        into_result(
            self.grpc()
                .authorize_charge(request_from_service("ordering", request))
                .await,
        )
    }

    pub async fn close(&self, order: OrderId) -> Charge {
        let request = CloseChargeRequest {
            order_id: order.to_string(),
        };
        into_result(self.grpc().close_charge(request_from_service("ordering", request)).await).unwrap()
    }

    pub async fn refresh(&self, order: OrderId) -> Result<Charge, ServiceError> {
        let request = RefreshChargeRequest {
            order_id: order.to_string(),
        };
        into_result(self.grpc().refresh_charge(request_from_service("ordering", request)).await)
    }

    pub async fn receive(&self, webhook: &Webhook) -> Result<(), ServiceError> {
        let request = ReceiveProviderEventRequest {
            payload: webhook.payload.clone(),
            signature: webhook.signature.clone(),
        };
        into_result(
            self.grpc()
                .receive_provider_event(request_from_service("gateway", request))
                .await,
        )
        .map(drop)
    }

    /// Passes on every webhook that has come so far, as the gateway would.
    pub async fn receive_all(&self) {
        for webhook in self.sandbox.webhooks() {
            self.receive(&webhook).await.unwrap();
        }
    }

    /// Receives webhooks until the order's charge is in this state.
    pub async fn hears_of(&self, order: OrderId, state: ChargeState) {
        for _ in 0..100 {
            self.receive_all().await;
            if self.state(order).await == state.as_str_name().to_lowercase() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!(
            "never heard of {state:?}; the charge is {}",
            self.state(order).await
        );
    }

    /// Takes in a fact about an order.
    pub async fn order<E: Event>(&self, order: OrderId, fact: impl FnOnce(Option<OrderSnapshot>) -> E) {
        let about = OrderSnapshot {
            order_id: order.to_string(),
            tender: TenderKind::Card.into(),
            ..OrderSnapshot::default()
        };
        self.consume(&fact(Some(about))).await;
    }

    pub async fn consume<E: Event>(&self, event: &E) {
        let delivery = Delivery {
            id: EventId::new(now()),
            kind: E::KIND.to_owned(),
            aggregate_id: String::new(),
            aggregate_version: 1,
            payload: event.encode_to_vec(),
        };
        kit::consumer::handle_once(&self.cx.pool, &Consumers(self.cx.clone()), &delivery)
            .await
            .unwrap();
    }

    /// Carries out what is planned, with its retries, until nothing is.
    pub async fn carry_out(&self) {
        for _ in 0..400 {
            workers::effects::once(&self.cx).await.unwrap();
            let left: i64 = sqlx::query_scalar("SELECT count(*) FROM effects WHERE state = 'planned'")
                .fetch_one(&self.cx.pool)
                .await
                .unwrap();
            if left == 0 {
                return;
            }
            // A claim that an interrupted worker holds ends in a moment here, instead of after its lease.
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("planned calls are left over");
    }

    /// What our own row says, whatever the contract makes of it.
    pub async fn state(&self, order: OrderId) -> String {
        sqlx::query_scalar("SELECT state FROM charges WHERE order_id = $1")
            .bind(order.uuid())
            .fetch_one(&self.cx.pool)
            .await
            .unwrap()
    }

    pub async fn count(&self, table: &'static str) -> i64 {
        sqlx::query_scalar(sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {table}")))
            .fetch_one(&self.cx.pool)
            .await
            .unwrap()
    }

    /// The facts told so far, without the service's name.
    pub async fn told(&self) -> Vec<String> {
        let kinds = self.database.outbox_event_types().await;
        kinds
            .into_iter()
            .filter(|kind| kind != "payments.MethodChanged")
            .collect()
    }
}

pub struct Consumer<'a> {
    world: &'a World,
    pub id: ConsumerId,
}

impl Consumer<'_> {
    pub fn request<T>(&self, message: T) -> Request<T> {
        by(
            Caller::Consumer {
                id: self.id,
                session: SessionId::new(now()),
            },
            message,
        )
    }

    /// Types a card into the page's element, then has it taken over. Answers our id of it.
    pub async fn adds(&self, card: Card) -> String {
        let before = self.methods().await;
        self.confirms(card).await;
        let methods = self.add_card().await;
        let new = methods.into_iter().find(|method| !before.contains(method));
        new.expect("a new method").payment_method_id
    }

    /// What the page does at the provider.
    pub async fn confirms(&self, card: Card) {
        let secret = self.card_secret().await;
        self.world.sandbox.confirm_setup(&secret, card).await;
    }

    /// What the page confirms a card with.
    pub async fn card_secret(&self) -> String {
        let asked = self
            .world
            .grpc()
            .create_card_secret(self.request(CreateCardSecretRequest {}))
            .await;
        let secret = into_result(asked).unwrap();
        assert_eq!(secret.publishable_key, sandbox::PUBLISHABLE_KEY);
        secret.client_secret
    }

    pub async fn add_card(&self) -> Vec<PaymentMethod> {
        into_result(self.world.grpc().add_card(self.request(AddCardRequest {})).await)
            .unwrap()
            .methods
    }

    pub async fn methods(&self) -> Vec<PaymentMethod> {
        let request = ListPaymentMethodsRequest::default();
        into_result(
            self.world
                .grpc()
                .list_payment_methods(self.request(request))
                .await,
        )
        .unwrap()
        .methods
    }
}

pub fn request_from_service<T>(name: &str, message: T) -> Request<T> {
    by(
        Caller::Service {
            name: name.to_owned(),
        },
        message,
    )
}

fn request_from<T>(caller: Caller, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.extensions_mut().insert(caller);
    request
}

pub fn into_result<T>(answer: Result<Response<T>, Status>) -> Result<T, ServiceError> {
    answer
        .map(Response::into_inner)
        .map_err(|status| ServiceError::from_status(&status))
}

pub fn order() -> OrderId {
    OrderId::new(now())
}

pub fn now() -> Timestamp {
    types::Clock::now(&SystemClock)
}
