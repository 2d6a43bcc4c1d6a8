//! Consumes events of other services, one file per event.

mod consumer_registered;
mod consumer_removed;
mod debt_created;
mod hold_refunded;
mod order_abandoned;
mod order_cancelled;
mod order_completed;
mod order_delayed;
mod order_payment_failed;
mod order_ready;
mod order_rejected;
mod payment_returned;
mod purchase_changed;
mod refund_credited;
mod refund_done;

use async_trait::async_trait;
use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery, Handler, require_field};
use proto::{
    accounts::v1::{ConsumerEvent, consumer_event},
    ordering::v1::{OrderEvent, order_event},
    payments::v1::{ChargeEvent, charge_event},
};
use sqlx::PgConnection;
use types::EventId;

use crate::{Rewards, config::Rules};

/// Handles the events that arrive in this service's queue.
#[derive(Debug)]
pub struct Consumers(pub Rewards);

#[async_trait]
impl Handler for Consumers {
    async fn handle(&self, delivery: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        let (rules, now) = (self.0.rules, self.0.clock.now());
        match delivery.event_type.split_once('.') {
            Some(("ordering", _)) => handle_order_event(delivery.decode()?, tx, rules, now).await,
            Some(("payments", _)) => {
                handle_charge_event(delivery.decode()?, delivery.event_id, tx, rules, now).await
            }
            Some(("gift-cards", "RefundCredited")) => {
                refund_credited::handle(delivery.decode()?, delivery.event_id, tx, rules, now).await
            }
            Some(("gift-cards", "HoldRefunded")) => {
                hold_refunded::handle(delivery.decode()?, tx, rules, now).await
            }
            Some(("gift-cards", _)) => {
                purchase_changed::handle(delivery.decode()?, delivery.event_id, tx, now).await
            }
            Some(("accounts", _)) => handle_consumer_event(delivery.decode()?, tx, rules, now).await,
            _ => Ok(()),
        }
    }
}

async fn handle_order_event(
    event: OrderEvent,
    tx: &mut PgConnection,
    rules: Rules,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    use order_event::Change;
    let Some(change) = event.change else {
        log_unknown_change();
        return Ok(());
    };
    let order = require_field(event.order, "order")?;
    match change {
        Change::Ready(_) => order_ready::handle(order, tx, now).await,
        Change::Delayed(delayed) => order_delayed::handle(order, delayed, tx, now).await,
        Change::PaymentFailed(_) => order_payment_failed::handle(order, tx, rules, now).await,
        Change::Completed(_) => order_completed::handle(order, tx, rules, now).await,
        Change::Abandoned(_) => order_abandoned::handle(order, tx, now).await,
        Change::Cancelled(cancelled) => order_cancelled::handle(order, cancelled, tx, now).await,
        Change::Rejected(rejected) => order_rejected::handle(order, rejected, tx, now).await,
        _ => Ok(()),
    }
}

async fn handle_charge_event(
    event: ChargeEvent,
    event_id: EventId,
    tx: &mut PgConnection,
    rules: Rules,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    use charge_event::Change;
    match event.change {
        Some(Change::Refunded(refund_done)) => {
            let charge = require_field(event.charge, "charge")?;
            refund_done::handle(charge, refund_done, event_id, tx, rules, now).await
        }
        Some(Change::Returned(returned)) => {
            payment_returned::handle(require_field(event.charge, "charge")?, returned, tx, now).await
        }
        Some(Change::DebtCreated(created)) => {
            debt_created::handle(require_field(event.charge, "charge")?, created, tx, now).await
        }
        Some(_) => Ok(()),
        None => {
            log_unknown_change();
            Ok(())
        }
    }
}

async fn handle_consumer_event(
    event: ConsumerEvent,
    tx: &mut PgConnection,
    rules: Rules,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    use consumer_event::Change;
    let consumer_id = event.consumer_id;
    let phone_hash = Some(event.phone_hash).filter(|hash| !hash.is_empty());
    match event.change {
        Some(Change::Registered(registered)) => {
            consumer_registered::handle(consumer_id.parse()?, phone_hash, registered, tx, rules, now).await
        }
        Some(Change::Removed(_)) => consumer_removed::handle(consumer_id.parse()?, phone_hash, tx, now).await,
        None => {
            log_unknown_change();
            Ok(())
        }
    }
}

/// Logs that an event of a newer version of the contract is ignored.
fn log_unknown_change() {
    tracing::info!("ignored an event with an unknown change");
}
