//! Consumes events of other services, one file per event.

mod consumer_removed;
mod order_abandoned;
mod order_cancelled;
mod order_completed;
mod order_rated;
mod order_ready;
mod order_rejected;

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery, Handler, require_field};
use proto::{
    accounts::v1::{ConsumerEvent, consumer_event},
    ordering::v1::{OrderEvent, order_event},
};
use sqlx::PgConnection;
use types::{EventId, OrderId};

use crate::{Stores, convert::webhook::webhook_event, ops};

/// Handles the events that arrive in this service's queue. Unknown changes, from newer versions of the contract, are
/// acknowledged and ignored.
#[derive(Debug)]
pub struct Consumers(Arc<Stores>);

impl Consumers {
    #[must_use]
    pub const fn new(cx: Arc<Stores>) -> Self {
        Self(cx)
    }
}

#[async_trait]
impl Handler for Consumers {
    async fn handle(&self, delivery: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        let now = self.0.clock.now();
        match delivery.event_type.split_once('.') {
            Some(("ordering", _)) => handle_order_event(delivery.event_id, delivery.decode()?, tx, now).await,
            Some(("accounts", _)) => handle_consumer_event(delivery.decode()?, tx, now).await,
            _ => ignore(),
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "has the type of the other handlers")]
fn ignore() -> Result<(), ConsumeError> {
    tracing::debug!("event ignored");
    Ok(())
}

async fn handle_order_event(
    event_id: EventId,
    event: OrderEvent,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    use order_event::Change;
    let order = require_field(event.order, "order")?;
    let order_id: OrderId = order.order_id.parse()?;
    let Some(change) = event.change else {
        return ignore();
    };
    if let Some(event) = webhook_event(event_id, &order, &change)? {
        ops::record_webhook_event::record_webhook_event(tx, &event, now).await?;
    }
    match change {
        Change::Abandoned(_) => order_abandoned::handle(order_id, tx, now).await,
        Change::Cancelled(_) => order_cancelled::handle(order_id, tx, now).await,
        Change::Completed(completed) => order_completed::handle(&order, &completed.items, tx).await,
        Change::Rated(rated) => order_rated::handle(&order, &rated, tx).await,
        Change::Ready(_) => order_ready::handle(&order, tx).await,
        Change::Rejected(_) => order_rejected::handle(order_id, tx, now).await,
        _ => ignore(),
    }
}

fn parse_time(text: &str) -> Result<Timestamp, ConsumeError> {
    text.parse()
        .map_err(|error| ConsumeError::Rejected(format!("time {text:?}: {error}")))
}

async fn handle_consumer_event(
    event: ConsumerEvent,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    use consumer_event::Change;
    match event.change {
        Some(Change::Removed(_)) => consumer_removed::handle(event.consumer_id.parse()?, tx, now).await,
        _ => ignore(),
    }
}
