//! Facts between services over RabbitMQ: the relay publishes what stands in the outbox, the consumer hands what comes in
//! to its service. A broker that is away stops neither the service nor its start.

mod broker;
pub mod consumer;
mod relay;

use std::{sync::Arc, time::Duration};

use sqlx::PgPool;

pub use broker::{Broker, Topology};
pub use consumer::{ConsumeError, Delivery, Handler};

use crate::lifecycle::Process;

const BACKOFF_FIRST: Duration = Duration::from_millis(200);
const BACKOFF_MOST: Duration = Duration::from_secs(5);

/// Starts the relay and, where there is a handler, the consumer, on tracked tasks that reconnect for ever.
///
/// # Errors
/// A bad setting.
pub fn start(process: &Process, pool: &PgPool, handler: Option<Arc<dyn Handler>>) -> anyhow::Result<()> {
    let broker = Broker::from_config(process)?;
    {
        let (process, broker, pool) = (process.clone(), broker.clone(), pool.clone());
        process.clone().tasks.spawn(async move {
            keep(&process, "relay", || relay::run(&process, &broker, &pool)).await;
        });
    }
    if let Some(handler) = handler {
        let (process, pool) = (process.clone(), pool.clone());
        process.clone().tasks.spawn(async move {
            keep(&process, "consumer", || {
                consumer::run(&process, &broker, &pool, handler.as_ref())
            })
            .await;
        });
    }
    Ok(())
}

/// Runs a part again whenever it fails, until the process is told to stop.
async fn keep<F, B>(process: &Process, part: &str, mut run: B)
where
    B: FnMut() -> F,
    F: Future<Output = anyhow::Result<()>>,
{
    let mut backoff = BACKOFF_FIRST;
    while !process.shutdown.is_cancelled() {
        let started = tokio::time::Instant::now();
        if let Err(error) = run().await {
            if started.elapsed() > Duration::from_secs(30) {
                backoff = BACKOFF_FIRST;
            }
            tracing::warn!(part, error = format!("{error:#}"), retry_in = ?backoff, "broker is away, waiting");
            process.sleep(backoff).await;
            backoff = (backoff * 2).min(BACKOFF_MOST);
        }
    }
}
