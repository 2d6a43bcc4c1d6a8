//! One file an event consumed.

mod consumer_removed;
mod payment_changed;

use async_trait::async_trait;
use kit::consumer::{ConsumeError, Delivery, Handler};
use proto::{
    accounts::v1::ConsumerRemoved,
    events::Event,
    payments::v1::{PaymentAuthorized, PaymentDeclined, PaymentReturned},
};
use sqlx::PgConnection;

use crate::{Ordering, ops::cancel::Unpaid};

/// What ordering does with the facts of others.
#[derive(Debug)]
pub struct Consumers(pub Ordering);

#[async_trait]
impl Handler for Consumers {
    async fn handle(&self, event: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        match event.kind.as_str() {
            PaymentAuthorized::KIND => {
                let charge = event.decode::<PaymentAuthorized>()?.charge;
                payment_changed::handle(&self.0, charge, None, tx).await
            }
            PaymentDeclined::KIND => {
                let charge = event.decode::<PaymentDeclined>()?.charge;
                payment_changed::handle(&self.0, charge, Some(Unpaid::Lapsed), tx).await
            }
            PaymentReturned::KIND => {
                let charge = event.decode::<PaymentReturned>()?.charge;
                payment_changed::handle(&self.0, charge, Some(Unpaid::Returned), tx).await
            }
            ConsumerRemoved::KIND => consumer_removed::handle(&event.decode()?, tx).await,
            _ => Ok(()),
        }
    }
}
