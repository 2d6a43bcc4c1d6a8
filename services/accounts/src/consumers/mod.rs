//! Consumes events of other services, one file per event.

mod notification_requested;
mod order_cancelled;

use async_trait::async_trait;
use kit::consumer::{ConsumeError, Delivery, Handler};
use sqlx::PgConnection;

use crate::Accounts;

/// Handles the events that arrive in this service's queue.
#[derive(Debug)]
pub struct Consumers(pub Accounts);

#[async_trait]
impl Handler for Consumers {
    async fn handle(&self, delivery: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        match &*delivery.event_type {
            "rewards.NotificationRequested" => {
                notification_requested::handle(&self.0, delivery.decode()?, tx).await
            }
            "ordering.OrderCancelled" => {
                order_cancelled::handle(delivery.decode()?, tx, self.0.clock.now()).await
            }
            _ => Ok(()),
        }
    }
}
