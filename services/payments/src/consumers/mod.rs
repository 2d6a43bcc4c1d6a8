//! The facts that move charges, one file a fact. Each writes only local state; a worker does the rest.

mod consumer_removed;
mod order_accepted;
mod order_ended;

use async_trait::async_trait;
use kit::consumer::{ConsumeError, Delivery, Handler};
use proto::accounts::v1::ConsumerRemoved;
use proto::events::Event;
use proto::ordering::v1::{
    OrderAbandoned, OrderAccepted, OrderCancelled, OrderSnapshot, OrderRejected, TenderKind,
};
use sqlx::PgConnection;

use crate::Payments;

/// What this service does with the facts that it consumes.
#[derive(Debug)]
pub struct Consumers(pub Payments);

#[async_trait]
impl Handler for Consumers {
    async fn handle(&self, event: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        let at = self.0.clock.now();
        match event.kind.as_str() {
            OrderAccepted::KIND => order_accepted::handle(tx, event, at).await,
            OrderAbandoned::KIND => {
                order_ended::handle(tx, event.decode::<OrderAbandoned>()?.order, at).await
            }
            OrderCancelled::KIND => {
                order_ended::handle(tx, event.decode::<OrderCancelled>()?.order, at).await
            }
            OrderRejected::KIND => order_ended::handle(tx, event.decode::<OrderRejected>()?.order, at).await,
            ConsumerRemoved::KIND => consumer_removed::handle(tx, event, at).await,
            _ => Ok(()),
        }
    }
}

/// Whether the order may have a charge: stored value has none.
fn may_be_charged(fact: &OrderSnapshot) -> bool {
    !matches!(fact.tender(), TenderKind::Joepass | TenderKind::GiftCard)
}
