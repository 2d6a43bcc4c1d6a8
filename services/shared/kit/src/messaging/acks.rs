//! Acknowledgments of one consumer. The broker writes each to the log of a quorum queue, so one frame acknowledges several
//! deliveries if all previous ones are finished.

use std::collections::BTreeSet;

use lapin::{
    message::Delivery as AmqpDelivery,
    options::{BasicAckOptions, BasicRejectOptions},
};
use tokio::sync::Mutex;

/// The delivery tags that are neither acknowledged nor rejected.
///
/// Locked until a frame is sent: a tag that a later frame has acknowledged, too, would close the channel.
#[derive(Debug, Default)]
pub(super) struct Acks(Mutex<BTreeSet<u64>>);

impl Acks {
    /// Must be called for all deliveries in their order.
    pub(super) async fn begin(&self, delivery: &AmqpDelivery) {
        self.0.lock().await.insert(delivery.delivery_tag);
    }

    /// Acknowledges deliveries, which are in the order of their tags.
    pub(super) async fn acknowledge(&self, deliveries: &[&AmqpDelivery]) -> lapin::Result<()> {
        let mut unfinished = self.0.lock().await;
        for delivery in deliveries {
            unfinished.remove(&delivery.delivery_tag);
        }
        let oldest = unfinished.first().copied();
        if let Some(last) = deliveries.last()
            && oldest.is_none_or(|oldest| oldest > last.delivery_tag)
        {
            last.ack(BasicAckOptions { multiple: true }).await?;
        } else {
            for delivery in deliveries {
                delivery.ack(BasicAckOptions::default()).await?;
            }
        }
        Ok(())
    }

    /// Moves a delivery to the dead-letter queue.
    pub(super) async fn dead_letter(&self, delivery: &AmqpDelivery) -> lapin::Result<()> {
        let mut unfinished = self.0.lock().await;
        delivery.reject(BasicRejectOptions { requeue: false }).await?;
        unfinished.remove(&delivery.delivery_tag);
        Ok(())
    }
}
