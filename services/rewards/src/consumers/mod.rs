//! The facts that give points, give claims back and reach the inbox. One file a fact.

mod consumer_registered;
mod consumer_removed;
mod order_completed;
mod order_ended;
mod order_ready;
mod refund_done;

use async_trait::async_trait;
use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery, Handler};
use proto::{
    accounts::v1::{ConsumerRegistered, ConsumerRemoved},
    events::Event,
    ordering::v1::{OrderAbandoned, OrderCancelled, OrderCompleted, OrderReady, OrderRejected},
    payments::v1::RefundDone,
};
use sqlx::PgConnection;
use types::{Currency, Money};

use crate::Rewards;

/// What this service does with the facts that it consumes.
#[derive(Debug)]
pub struct Consumers(pub Rewards);

#[async_trait]
impl Handler for Consumers {
    async fn handle(&self, event: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        let (at, rules) = (self.0.clock.now(), self.0.rules);
        match event.kind.as_str() {
            OrderCompleted::KIND => order_completed::handle(tx, rules, event, at).await,
            OrderReady::KIND => order_ready::handle(tx, event, at).await,
            OrderAbandoned::KIND => order_ended::abandoned(tx, event, at).await,
            OrderCancelled::KIND => order_ended::cancelled(tx, event, at).await,
            OrderRejected::KIND => order_ended::rejected(tx, event, at).await,
            RefundDone::KIND => refund_done::handle(tx, rules, event, at).await,
            ConsumerRegistered::KIND => consumer_registered::handle(tx, event, at).await,
            ConsumerRemoved::KIND => consumer_removed::handle(tx, event, at).await,
            _ => Ok(()),
        }
    }
}

fn money(minor_units: i64, currency: &str) -> Result<Money, ConsumeError> {
    let currency: Currency = currency
        .parse()
        .map_err(|error: types::MoneyError| ConsumeError::Rejected(error.to_string()))?;
    Ok(Money::new(minor_units, currency))
}

/// When it happened, so that a message that was long on its way does not look new.
fn happened(at: &str, now: Timestamp) -> Timestamp {
    at.parse().map_or(now, |at: Timestamp| at.min(now))
}
