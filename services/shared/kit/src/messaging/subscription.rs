//! Receives the deliveries of this service's queue and passes them on in batches.

use futures::{FutureExt, StreamExt, TryStreamExt, stream};
use lapin::{
    options::{BasicConsumeOptions, BasicQosOptions},
    types::FieldTable,
};
use sqlx::PgPool;
use tokio::sync::Semaphore;

use super::{
    Broker,
    acks::Acks,
    batches::batches,
    consumer::Handler,
    consumption::{Consumption, Database},
    queue_metrics,
};
use crate::lifecycle::Process;

/// Maximum number of unacknowledged deliveries: four full batches.
const PREFETCH: u16 = 64;
/// Divisor of the pool size: events use half of the connections, calls, the relay and workers the other half.
const POOL_DIVISOR: u32 = 2;
/// Maximum number of transactions at the same time.
const MAX_TRANSACTIONS: u32 = 16;

/// Limits the transactions at the same time.
///
/// # Errors
/// The pool is too small.
pub(super) fn connections(pool: &PgPool) -> anyhow::Result<Semaphore> {
    let max = pool.options().get_max_connections();
    anyhow::ensure!(
        max >= POOL_DIVISOR,
        "bad configuration: DATABASE_CONNECTIONS: {max}: expected at least {POOL_DIVISOR}"
    );
    let permits = (max / POOL_DIVISOR).min(MAX_TRANSACTIONS);
    Ok(Semaphore::new(usize::try_from(permits)?))
}

/// Consumes until shutdown, or until the connection is lost.
pub(super) async fn run(
    process: &Process,
    broker: &Broker,
    database: Database<'_>,
    handler: &dyn Handler,
) -> anyhow::Result<()> {
    // Those of the previous connection are redelivered.
    queue_metrics::reset_deliveries();
    let connection = broker.connect().await?;
    let channel = connection.create_channel().await?;
    channel.basic_qos(PREFETCH, BasicQosOptions::default()).await?;
    let deliveries = channel
        .basic_consume(
            broker.queue(process.name),
            process.name.into(),
            BasicConsumeOptions::default(),
            FieldTable::default(),
        )
        .await?;
    tracing::info!("consumer connected to the broker");
    let cancelled = stream::once(async { Err(anyhow::anyhow!("consumer cancelled by the broker")) });
    let acks = Acks::default();
    let consumption = Consumption {
        process,
        database,
        handler,
        event_types: broker.consumed_by(process.name),
        acks: &acks,
    };
    let deliveries = deliveries
        .map_err(anyhow::Error::from)
        .chain(cancelled.boxed())
        .take_until(process.shutdown.clone().cancelled_owned().boxed());
    let consumed = batches(deliveries, database.connections, &acks)
        // When the connection is lost, drops the deliveries in progress instead of waiting for them: they are redelivered,
        // and an event that is retried forever must not prevent the reconnect.
        .try_for_each_concurrent(usize::from(PREFETCH), |batch| consumption.consume(batch));
    tokio::select! {
        result = consumed => result?,
        () = queue_metrics::monitor_deliveries(&acks) => {}
    }
    connection.close(200, "stopping".into()).await?;
    Ok(())
}
