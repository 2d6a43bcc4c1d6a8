//! Decodes consumed events and calls the handler of each.

mod consumer_removed;
mod payment_changed;

use async_trait::async_trait;
use kit::consumer::{ConsumeError, Delivery, Handler};
use proto::{
    accounts::v1::{ConsumerEvent, consumer_event},
    payments::v1::{ChargeEvent, charge_event},
};
use sqlx::PgConnection;

use crate::{Ordering, ops::cancel::Unpaid};

/// What ordering does with the facts of others.
#[derive(Debug)]
pub struct Consumers(pub Ordering);

#[async_trait]
impl Handler for Consumers {
    async fn handle(&self, delivery: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        match delivery.event_type.split('.').next() {
            Some("payments") => {
                use charge_event::Change;
                let event = delivery.decode::<ChargeEvent>()?;
                let unpaid = match event.change {
                    Some(Change::Authorized(_)) => None,
                    Some(Change::Declined(_)) => Some(Unpaid::Lapsed),
                    Some(Change::Returned(_)) => Some(Unpaid::Returned),
                    _ => return Ok(()),
                };
                payment_changed::handle(&self.0, event.charge, unpaid, tx).await
            }
            Some("accounts") => {
                let event = delivery.decode::<ConsumerEvent>()?;
                match event.change {
                    Some(consumer_event::Change::Removed(_)) => consumer_removed::handle(&event, tx).await,
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}
