//! Consumes events of other services, one file per event. The handlers write local state only; the effects worker calls
//! the provider.

mod consumer_registered;
mod consumer_removed;
mod order_abandoned;
mod order_accepted;
mod order_cancelled;
mod order_completed;
mod order_ready;
mod order_rejected;
mod purchase_returned;

use async_trait::async_trait;
use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery, Handler, require_field};
use proto::accounts::v1::{ConsumerEvent, consumer_event};
use proto::giftcards::v1::{PurchaseEvent, purchase_event};
use proto::ordering::v1::{OrderEvent, OrderSnapshot, TenderKind, order_event};
use sqlx::PgConnection;
use types::OrderId;

use crate::Payments;

/// Handles the events that arrive in this service's queue.
#[derive(Debug)]
pub struct Consumers(pub Payments);

#[async_trait]
impl Handler for Consumers {
    async fn handle(&self, delivery: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        let now = self.0.clock.now();
        match delivery.event_type.split_once('.') {
            Some(("ordering", _)) => handle_order_event(&self.0, delivery.decode()?, tx, now).await,
            Some(("gift-cards", _)) => handle_purchase_event(&self.0, delivery.decode()?, tx, now).await,
            Some(("accounts", _)) => handle_consumer_event(delivery.decode()?, tx, now).await,
            _ => Ok(()),
        }
    }
}

async fn handle_order_event(
    cx: &Payments,
    event: OrderEvent,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    use order_event::Change;
    let Some(change) = event.change else {
        tracing::warn!("order event with unknown change ignored");
        return Ok(());
    };
    let order = require_field(event.order, "order")?;
    if !can_have_charge(&order)? {
        return Ok(());
    }
    let order_id: OrderId = order.order_id.parse()?;
    match change {
        Change::Accepted(_) => order_accepted::handle(order_id, tx, now).await,
        Change::Ready(_) => order_ready::handle(cx, order_id, tx, now).await,
        Change::Completed(_) => order_completed::handle(cx, order_id, tx, now).await,
        Change::Abandoned(_) => order_abandoned::handle(order_id, tx, now).await,
        Change::Cancelled(_) => order_cancelled::handle(order_id, tx, now).await,
        Change::Rejected(_) => order_rejected::handle(order_id, tx, now).await,
        _ => Ok(()),
    }
}

async fn handle_purchase_event(
    cx: &Payments,
    event: PurchaseEvent,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    use purchase_event::Change;
    let Some(Change::PurchaseReturned(returned)) = event.change else {
        return Ok(());
    };
    let purchase_id = require_field(event.purchase, "purchase")?.purchase_id.parse()?;
    purchase_returned::handle(cx, purchase_id, returned.shortfall_minor_units, tx, now).await
}

async fn handle_consumer_event(
    event: ConsumerEvent,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    use consumer_event::Change;
    let consumer_id = event.consumer_id.parse()?;
    match event.change {
        Some(Change::Removed(_)) => consumer_removed::handle(consumer_id, &event.phone_hash, tx, now).await,
        Some(Change::Registered(_)) => {
            consumer_registered::handle(consumer_id, &event.phone_hash, tx, now).await
        }
        None => {
            tracing::warn!("consumer event with unknown change ignored");
            Ok(())
        }
    }
}

/// Returns whether the order is paid through the provider, and not with stored value.
fn can_have_charge(order: &OrderSnapshot) -> Result<bool, ConsumeError> {
    match TenderKind::try_from(order.tender) {
        Ok(TenderKind::Card | TenderKind::Bank | TenderKind::ApplePay | TenderKind::GooglePay) => Ok(true),
        Ok(TenderKind::Joepass | TenderKind::GiftCard) => Ok(false),
        Ok(TenderKind::Unspecified) | Err(_) => {
            Err(ConsumeError::Rejected(format!("unknown tender {}", order.tender)))
        }
    }
}
