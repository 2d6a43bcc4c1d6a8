//! Acknowledgments of one consumer. The broker writes each to the log of a quorum queue, so one frame acknowledges several
//! deliveries if all previous ones are finished.

use std::{collections::BTreeMap, time::Duration};

use jiff::Timestamp;
use lapin::{
    message::Delivery as AmqpDelivery,
    options::{BasicAckOptions, BasicRejectOptions},
};
use tokio::sync::Mutex;
use types::{Clock, SystemClock};

use super::consumer::Delivery;

/// The tags of deliveries that are neither acknowledged nor rejected, with the time at which each event was created.
///
/// Locked until a frame is sent: a tag that a later frame has acknowledged, too, would close the channel.
#[derive(Debug, Default)]
pub(super) struct Acks(Mutex<BTreeMap<u64, Timestamp>>);

impl Acks {
    /// Must be called for all deliveries in their order.
    pub(super) async fn begin(&self, delivery: &AmqpDelivery) {
        let created_at = Delivery::created_at(delivery).unwrap_or_else(|| SystemClock.now());
        self.0.lock().await.insert(delivery.delivery_tag, created_at);
    }

    /// Returns the age of the oldest event that is not finished, or zero if all are.
    pub(super) async fn oldest_age(&self, now: Timestamp) -> Duration {
        let oldest = self.0.lock().await.values().min().copied();
        // Negative if the clock of the publisher is ahead.
        oldest
            .and_then(|created_at| now.duration_since(created_at).try_into().ok())
            .unwrap_or_default()
    }

    /// Acknowledges deliveries, which are in the order of their tags.
    pub(super) async fn acknowledge(&self, deliveries: &[&AmqpDelivery]) -> lapin::Result<()> {
        let mut unfinished = self.0.lock().await;
        for delivery in deliveries {
            unfinished.remove(&delivery.delivery_tag);
        }
        let oldest = unfinished.first_key_value().map(|(tag, _)| *tag);
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

#[cfg(test)]
mod tests {
    use types::EventId;

    use super::*;

    fn delivery(tag: u64, message_id: Option<EventId>) -> AmqpDelivery {
        let mut delivery = AmqpDelivery::mock(tag, "".into(), "".into(), false, Vec::new());
        if let Some(id) = message_id {
            delivery.properties = delivery.properties.with_message_id(id.uuid().to_string().into());
        }
        delivery
    }

    #[tokio::test]
    async fn the_age_is_that_of_the_oldest_event_that_is_not_finished() {
        let (acks, now) = (Acks::default(), SystemClock.now());
        let created = |seconds| Some(EventId::new(now - Duration::from_secs(seconds)));
        assert_eq!(acks.oldest_age(now).await, Duration::ZERO);
        acks.begin(&delivery(1, created(30))).await;
        acks.begin(&delivery(2, created(600))).await;
        acks.begin(&delivery(3, None)).await;
        assert_eq!(acks.oldest_age(now).await.as_secs(), 600);
        acks.0.lock().await.remove(&2);
        assert_eq!(acks.oldest_age(now).await.as_secs(), 30);
        acks.0.lock().await.remove(&1);
        assert_eq!(acks.oldest_age(now).await, Duration::ZERO);
    }
}
