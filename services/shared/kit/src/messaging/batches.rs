//! Deliveries that arrive together are consumed in one transaction, which costs the database and the broker much less than
//! one for each.

use std::time::Duration;

use futures::{Stream, StreamExt, TryStreamExt, stream};
use lapin::message::Delivery as AmqpDelivery;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, timeout_at},
};

use super::acks::Acks;

/// Maximum number of events in a transaction. Few, because they are applied one after the other, and their rows are locked until
/// the transaction ends.
const MAX_EVENTS: usize = 16;
/// Time for other deliveries after the first one. The relay publishes several at once, and they arrive one after the other.
const COLLECT_TIME: Duration = Duration::from_millis(2);

/// Deliveries, and the permission to use a connection for them.
#[derive(Debug)]
pub(super) struct Batch<'a> {
    /// In the order of their tags.
    pub(super) deliveries: Vec<AmqpDelivery>,
    pub(super) permit: SemaphorePermit<'a>,
}

/// Groups deliveries. While no connection is available, the next batch grows.
pub(super) fn batches<'a>(
    deliveries: impl Stream<Item = anyhow::Result<AmqpDelivery>> + Unpin + 'a,
    connections: &'a Semaphore,
    acks: &'a Acks,
) -> impl Stream<Item = anyhow::Result<Batch<'a>>> {
    stream::try_unfold(deliveries.fuse(), move |mut deliveries| async move {
        let Some(first) = deliveries.try_next().await? else {
            return anyhow::Ok(None);
        };
        acks.begin(&first).await;
        let permit = connections.acquire().await?;
        let end = Instant::now() + COLLECT_TIME;
        let mut batch = vec![first];
        while batch.len() < MAX_EVENTS
            && let Ok(next) = timeout_at(end, deliveries.try_next()).await
        {
            let Some(delivery) = next? else { break };
            acks.begin(&delivery).await;
            batch.push(delivery);
        }
        let batch = Batch {
            deliveries: batch,
            permit,
        };
        Ok(Some((batch, deliveries)))
    })
}
