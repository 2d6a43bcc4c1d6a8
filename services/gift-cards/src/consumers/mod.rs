//! Consumes events of other services, one file per event.

mod consumer_removed;
mod method_changed;
mod order_abandoned;
mod order_accepted;
mod order_cancelled;
mod order_rejected;
mod payment_outcome;
mod refund_failed;

use async_trait::async_trait;
use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery, Handler, require_field};
use proto::{
    accounts::v1::{ConsumerEvent, consumer_event},
    ordering::v1::{OrderEvent, order_event},
    payments::v1::{ChargeEvent, MethodChanged, PaymentMethodEvent, charge_event, payment_method_event},
};
use sqlx::PgConnection;
use types::OrderId;

use crate::{GiftCards, convert, domain::purchase::ChargeOutcome};

/// Handles the events that arrive in this service's queue.
#[derive(Debug)]
pub struct Consumers(pub GiftCards);

#[async_trait]
impl Handler for Consumers {
    async fn handle(&self, delivery: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        let now = self.0.clock.now();
        match delivery.event_type.split_once('.') {
            Some(("ordering", _)) => handle_order_event(delivery.decode()?, tx, now).await,
            Some(("payments", "MethodChanged")) => {
                handle_payment_method_event(&self.0, delivery.decode()?, tx, now).await
            }
            Some(("payments", _)) => handle_charge_event(&self.0, delivery.decode()?, tx, now).await,
            Some(("accounts", _)) => handle_consumer_event(delivery.decode()?, tx, now).await,
            _ => Ok(()),
        }
    }
}

async fn handle_order_event(
    event: OrderEvent,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    use order_event::Change;
    let Some(change) = event.change else {
        log_unknown_change();
        return Ok(());
    };
    let order = require_field(event.order, "order")?;
    let order_id: OrderId = order.order_id.parse()?;
    if !convert::can_have_hold(&order)? {
        return Ok(());
    }
    match change {
        Change::Accepted(_) => order_accepted::handle(order_id, tx, now).await,
        Change::Abandoned(_) => order_abandoned::handle(order_id, tx, now).await,
        Change::Cancelled(_) => order_cancelled::handle(order_id, tx, now).await,
        Change::Rejected(_) => order_rejected::handle(order_id, tx, now).await,
        _ => Ok(()),
    }
}

async fn handle_charge_event(
    cx: &GiftCards,
    event: ChargeEvent,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    use charge_event::Change;
    let Some(change) = event.change else {
        log_unknown_change();
        return Ok(());
    };
    let charge = require_field(event.charge, "charge")?;
    let (outcome, decline) = match change {
        Change::Settled(_) => (ChargeOutcome::Settled, None),
        Change::Declined(declined) => (ChargeOutcome::Declined, convert::decline(declined)),
        Change::Returned(_) => (ChargeOutcome::Returned, None),
        Change::RefundFailed(failed) => return refund_failed::handle(charge, failed, tx, now).await,
        _ => return Ok(()),
    };
    payment_outcome::handle(cx, charge, (outcome, decline), tx, now).await
}

async fn handle_payment_method_event(
    cx: &GiftCards,
    event: PaymentMethodEvent,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    use payment_method_event::Change;
    match event.change {
        Some(Change::MethodChanged(MethodChanged { is_removed })) => {
            let removed_method_id = is_removed.then_some(&*event.payment_method_id);
            method_changed::handle(cx, event.consumer_id.parse()?, removed_method_id, tx, now).await
        }
        None => {
            log_unknown_change();
            Ok(())
        }
    }
}

async fn handle_consumer_event(
    event: ConsumerEvent,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    use consumer_event::Change;
    match event.change {
        Some(Change::Removed(_)) => consumer_removed::handle(event.consumer_id.parse()?, tx, now).await,
        Some(Change::Registered(_)) => Ok(()),
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
