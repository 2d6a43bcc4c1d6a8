//! One file an event consumed.

mod consumer_removed;
mod payment_changed;

use async_trait::async_trait;
use kit::consumer::{ConsumeError, Handler, Incoming};
use proto::{
    accounts::v1::ConsumerRemoved,
    events::Event,
    payments::v1::{PaymentAuthorized, PaymentDeclined},
};
use sqlx::PgConnection;

use crate::Ordering;

/// What ordering does with the facts of others.
#[derive(Debug)]
pub struct Consumers(pub Ordering);

#[async_trait]
impl Handler for Consumers {
    async fn handle(&self, event: &Incoming, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        match event.kind.as_str() {
            PaymentAuthorized::KIND => {
                payment_changed::handle(&self.0, event.decode::<PaymentAuthorized>()?.charge, tx).await
            }
            PaymentDeclined::KIND => {
                payment_changed::handle(&self.0, event.decode::<PaymentDeclined>()?.charge, tx).await
            }
            ConsumerRemoved::KIND => consumer_removed::handle(&event.decode()?, tx).await,
            _ => Ok(()),
        }
    }
}
