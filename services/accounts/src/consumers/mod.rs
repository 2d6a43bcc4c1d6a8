//! Consumes events of other services, one file per event.

mod notification_requested;

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
            _ => Ok(()),
        }
    }
}
