//! Webhooks: deliveries to a real HTTP server.

mod changes;
mod delivery;
mod receiver;

use std::sync::Arc;

use jiff::Timestamp;
use kit::messaging::consumer::{Delivery, handle_once};
use proto::ordering::v1::{OrderEvent, OrderReady, OrderSnapshot, OrderStatus, order_event::Change};
use stores::{
    Consumers, domain::webhook::EventKind, ops::add_webhook::add_webhook,
    workers::send_webhooks::send_due_webhooks,
};
use testing::delivery;
use types::{Clock, CompanyId, SystemClock, WebhookSubscriptionId};

use self::receiver::Receiver;
use crate::harness::{Harness, new_order};

const STORE: &str = "Sunset & Maltman";

struct Webhooks {
    harness: Harness,
    company: CompanyId,
    receiver: Receiver,
    consumers: Consumers,
}

impl Webhooks {
    /// The clock is at the present time, because the library rejects old signatures.
    async fn start() -> Self {
        let harness = Harness::seeded().await;
        let until_now = SystemClock.now().duration_since(harness.clock.now());
        harness.clock.advance(until_now);
        Self {
            company: company_of(&harness, STORE).await,
            receiver: Receiver::start().await,
            consumers: Consumers::new(Arc::clone(&harness.cx)),
            harness,
        }
    }

    async fn subscribe(&self, kinds: &[EventKind]) -> (WebhookSubscriptionId, String) {
        self.subscribe_url(&self.receiver.url, kinds).await
    }

    async fn subscribe_url(&self, url: &str, kinds: &[EventKind]) -> (WebhookSubscriptionId, String) {
        let (id, secret) = add_webhook(&self.harness.cx, self.company, url, kinds, |_, _| Ok(()))
            .await
            .unwrap();
        (id, secret.expose())
    }

    async fn event(&self, change: Change) -> Delivery {
        delivery(&OrderEvent {
            order: Some(OrderSnapshot {
                order_id: new_order().to_string(),
                consumer_id: "usr_01h455vb4pex5vsknk084sn02q".to_owned(),
                store_id: self.harness.store(STORE).await.to_string(),
                status: OrderStatus::Ready.into(),
                version: 5,
                changed_at: self.now().to_string(),
                ready_at: self.now().to_string(),
                total_minor_units: 1_234,
                pickup_number: "42".to_owned(),
                time_zone: "America/Los_Angeles".to_owned(),
                ..Default::default()
            }),
            change: Some(change),
        })
    }

    async fn consume(&self, event: &Delivery) {
        handle_once(&self.harness.database.pool, &self.consumers, event)
            .await
            .unwrap();
    }

    /// Consumes the event of a new order that is ready.
    async fn order_ready(&self) {
        self.consume(&self.event(Change::Ready(OrderReady {})).await)
            .await;
    }

    /// Sends what is due, and returns the number of deliveries.
    async fn send(&self) -> usize {
        send_due_webhooks(&self.harness.cx).await.unwrap()
    }

    fn now(&self) -> Timestamp {
        self.harness.clock.now()
    }

    fn advance(&self, hours: i64) {
        self.harness
            .clock
            .advance(jiff::SignedDuration::from_hours(hours));
    }

    /// Lets leases expire. They use the database's clock, which tests cannot set.
    async fn expire_leases(&self) {
        sqlx::query("UPDATE webhook_deliveries SET leased_until = leased_until - interval '1 hour'")
            .execute(&self.harness.database.pool)
            .await
            .unwrap();
    }

    async fn states(&self) -> Vec<String> {
        sqlx::query_scalar("SELECT state FROM webhook_deliveries ORDER BY delivery_id")
            .fetch_all(&self.harness.database.pool)
            .await
            .unwrap()
    }

    async fn close(self) {
        self.harness.close().await;
    }
}

async fn company_of(harness: &Harness, store: &'static str) -> CompanyId {
    sqlx::query_scalar("SELECT company_id FROM stores WHERE name = $1")
        .bind(store)
        .fetch_one(&harness.database.pool)
        .await
        .unwrap()
}
