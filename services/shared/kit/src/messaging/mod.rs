//! Events between services over RabbitMQ: the relay publishes the outbox, the consumer passes deliveries to the service's
//! handler. Both reconnect, so that a service starts and runs while the broker is unavailable.

mod acks;
mod batches;
mod broker;
mod claims;
pub mod consumer;
mod consumption;
mod outbox_metrics;
mod queue_metrics;
mod relay;
mod replay;
mod subscription;

use std::sync::Arc;

use lapin::{Channel, Connection, options::ConfirmSelectOptions};
use sqlx::PgPool;

pub use broker::Broker;
pub use consumer::{ConsumeError, Delivery, Handler};
pub use replay::{replay_dead_letters, replay_unrouted};

use crate::{backoff::Backoff, lifecycle::Process, postgres::DatabaseTimeout, supervision::HEALTHY_AFTER};

/// Which services consume which events.
#[derive(Debug, Clone, Copy)]
pub struct Topology {
    /// Default prefix of the names of exchanges and queues.
    pub prefix: &'static str,
    /// Each consuming service with the event types that its queue is bound to.
    pub consumers: &'static [(&'static str, &'static [&'static str])],
}

impl Topology {
    #[must_use]
    pub const fn new(
        prefix: &'static str,
        consumers: &'static [(&'static str, &'static [&'static str])],
    ) -> Self {
        Self { prefix, consumers }
    }
}

/// Starts the relay, and the consumer if there is a handler, as tracked tasks that reconnect until shutdown.
///
/// # Errors
/// A setting is invalid.
pub fn start(
    process: &Process,
    pool: &PgPool,
    topology: Topology,
    handler: Option<Arc<dyn Handler>>,
) -> anyhow::Result<()> {
    let broker = Broker::from_config(process, topology)?;
    let connections = subscription::connections(pool)?;
    let timeout = DatabaseTimeout::from_config(&process.source)?;
    outbox_metrics::start(process, pool, timeout);
    {
        let (process, broker, pool) = (process.clone(), broker.clone(), pool.clone());
        process.clone().tasks.spawn(async move {
            run_until_shutdown(&process, "relay", || {
                relay::run(&process, &broker, &pool, timeout)
            })
            .await;
        });
    }
    if let Some(handler) = handler {
        let (process, pool) = (process.clone(), pool.clone());
        process.clone().tasks.spawn(async move {
            run_until_shutdown(&process, "consumer", || {
                let database = consumption::Database {
                    pool: &pool,
                    connections: &connections,
                    timeout,
                };
                subscription::run(&process, &broker, database, handler.as_ref())
            })
            .await;
        });
    }
    Ok(())
}

async fn open_confirm_channel(connection: &Connection) -> lapin::Result<Channel> {
    let channel = connection.create_channel().await?;
    channel.confirm_select(ConfirmSelectOptions::default()).await?;
    Ok(channel)
}

/// Restarts a task with backoff whenever it fails or panics.
async fn run_until_shutdown<F, B>(process: &Process, task: &'static str, mut run: B)
where
    B: FnMut() -> F,
    F: Future<Output = anyhow::Result<()>>,
{
    let mut delays = Backoff::RECONNECT.delays();
    while !process.shutdown.is_cancelled() {
        let started = tokio::time::Instant::now();
        let result = process.catch_worker_panic(task, async { run().await }).await;
        if started.elapsed() > HEALTHY_AFTER {
            delays.reset();
        }
        let delay = delays.next_delay();
        match result {
            Ok(Ok(())) => continue,
            Ok(Err(error)) => {
                tracing::warn!(task, error = format!("{error:#}"), retry_in = ?delay, "broker unavailable; will reconnect");
            }
            Err(panic) => tracing::error!(task, panic, restart_in = ?delay, "task panicked; will restart"),
        }
        process.sleep(delay).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_is_restarted_after_a_panic() {
        let process = Process::detached("test");
        let mut starts = 0;
        run_until_shutdown(&process, "relay", || {
            starts += 1;
            let (is_first, shutdown) = (starts == 1, process.shutdown.clone());
            async move {
                assert!(!is_first, "a bug");
                shutdown.cancel();
                Ok(())
            }
        })
        .await;
        assert_eq!(starts, 2);
    }
}
