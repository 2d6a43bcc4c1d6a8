//! Consumes events of other services, one file per event.

mod capture_failed;
mod consumer_removed;
mod debt_created;
mod payment_authorized;
mod payment_declined;
mod payment_returned;

use async_trait::async_trait;
use kit::{
    consumer::{ConsumeError, Delivery, Handler, require_field},
    metrics::Counter,
};
use proto::{
    accounts::v1::{ConsumerEvent, consumer_event},
    payments::v1::{ChargeEvent, ChargePurpose, charge_event},
};
use sqlx::PgConnection;
use types::OrderId;

use crate::Ordering;

static IGNORED_EVENTS: Counter = Counter::new(
    "events.ignored",
    "Events with an unknown change, which were acknowledged",
);

/// Handles the events that arrive in this service's queue.
#[derive(Debug)]
pub struct Consumers(pub Ordering);

#[async_trait]
impl Handler for Consumers {
    async fn handle(&self, delivery: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        match delivery.event_type.as_str() {
            "payments.PaymentAuthorized"
            | "payments.PaymentDeclined"
            | "payments.PaymentReturned"
            | "payments.CaptureFailed"
            | "payments.DebtCreated" => handle_charge_event(&self.0, delivery, tx).await,
            "accounts.ConsumerRemoved" => handle_consumer_event(&self.0, delivery, tx).await,
            _ => {
                ignore(delivery);
                Ok(())
            }
        }
    }
}

async fn handle_charge_event(
    cx: &Ordering,
    delivery: &Delivery,
    tx: &mut PgConnection,
) -> Result<(), ConsumeError> {
    use charge_event::Change;
    let event: ChargeEvent = delivery.decode()?;
    let charge = require_field(event.charge, "charge")?;
    if let Some(Change::DebtCreated(_)) = event.change {
        // Of an order or of a purchase of stored value.
        return debt_created::handle(&charge, tx).await;
    }
    let subject = require_field(charge.subject, "subject")?;
    if subject.purpose() != ChargePurpose::Order {
        return Ok(());
    }
    let order_id: OrderId = subject.id.parse()?;
    match event.change {
        Some(Change::Authorized(_)) => payment_authorized::handle(cx, order_id, tx).await,
        Some(Change::Declined(_)) => payment_declined::handle(cx, order_id, tx).await,
        Some(Change::Returned(_)) => payment_returned::handle(cx, order_id, tx).await,
        Some(Change::CaptureFailed(_)) => capture_failed::handle(cx, order_id, tx).await,
        Some(
            Change::Settled(_)
            | Change::Refunded(_)
            | Change::RefundFailed(_)
            | Change::Disputed(_)
            | Change::DebtCreated(_)
            | Change::DebtRecovered(_),
        ) => Ok(()),
        None => {
            ignore(delivery);
            Ok(())
        }
    }
}

async fn handle_consumer_event(
    cx: &Ordering,
    delivery: &Delivery,
    tx: &mut PgConnection,
) -> Result<(), ConsumeError> {
    use consumer_event::Change;
    let event: ConsumerEvent = delivery.decode()?;
    match event.change {
        Some(Change::Removed(_)) => consumer_removed::handle(cx, event.consumer_id.parse()?, tx).await,
        Some(Change::Registered(_)) => Ok(()),
        None => {
            ignore(delivery);
            Ok(())
        }
    }
}

/// Logs and counts an event with a change that only a newer release knows.
fn ignore(delivery: &Delivery) {
    IGNORED_EVENTS.add(1, &[("service", "ordering")]);
    tracing::warn!(event_type = %delivery.event_type, event_id = %delivery.event_id, "event with an unknown change ignored");
}
