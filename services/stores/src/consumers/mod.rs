//! The facts that this service consumes, each in a file of its own.

mod consumer_removed;
mod order_abandoned;
mod order_cancelled;
mod order_rejected;

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery, Handler, require_field};
use proto::{
    accounts::v1::ConsumerRemoved,
    events::Event,
    ordering::v1::{OrderAbandoned, OrderCancelled, OrderSnapshot, OrderRejected},
};
use sqlx::PgConnection;

use crate::{Stores, ops};

/// Makes the effect of each fact.
#[derive(Debug)]
pub struct Consumers(Arc<Stores>);

impl Consumers {
    /// The consumers of this service.
    #[must_use]
    pub const fn new(cx: Arc<Stores>) -> Self {
        Self(cx)
    }
}

#[async_trait]
impl Handler for Consumers {
    async fn handle(&self, event: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        let now = self.0.clock.now();
        match event.kind.as_str() {
            OrderAbandoned::KIND => order_abandoned::handle(event, tx, now).await,
            OrderCancelled::KIND => order_cancelled::handle(event, tx, now).await,
            OrderRejected::KIND => order_rejected::handle(event, tx, now).await,
            ConsumerRemoved::KIND => consumer_removed::handle(event, tx, now).await,
            _ => Ok(()),
        }
    }
}

/// Nothing is made for an order that is over: its minutes go back.
async fn give_back(
    order: Option<OrderSnapshot>,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let order = require_field(order, "order")?;
    ops::release::release(tx, order.order_id.parse()?, now).await?;
    Ok(())
}
