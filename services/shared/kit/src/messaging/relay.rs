//! Publishes the outbox: claims rows with a short lease, publishes them with publisher confirms and `mandatory`, and deletes
//! confirmed rows. Several relays may run; when one dies, its rows are claimed again after the lease.

use std::time::Duration;

use lapin::{
    BasicProperties, Channel, Confirmation,
    options::{BasicPublishOptions, ConfirmSelectOptions},
    types::{AMQPValue, FieldTable},
};
use sqlx::PgPool;
use uuid::Uuid;

use super::Broker;
use crate::lifecycle::Process;

const BATCH_SIZE: i64 = 200;
const LEASE: Duration = Duration::from_secs(15);
/// Interval for polling an empty outbox. Short, because live updates must arrive within a second.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug)]
struct Row {
    position: i64,
    event_id: Uuid,
    event_type: String,
    aggregate_id: String,
    aggregate_version: i64,
    payload: Vec<u8>,
    trace_parent: Option<String>,
}

/// Publishes until shutdown, or until the connection is lost.
pub(super) async fn run(process: &Process, broker: &Broker, pool: &PgPool) -> anyhow::Result<()> {
    let connection = broker.connect().await?;
    let channel = connection.create_channel().await?;
    channel.confirm_select(ConfirmSelectOptions::default()).await?;
    tracing::info!("relay connected to the broker");
    loop {
        let published = relay_batch(&channel, broker, pool).await?;
        anyhow::ensure!(connection.status().connected(), "connection to the broker lost");
        if published == 0 && !process.sleep(POLL_INTERVAL).await {
            connection.close(200, "stopping".into()).await?;
            return Ok(());
        }
    }
}

/// Publishes one batch and returns the number of confirmed rows.
async fn relay_batch(channel: &Channel, broker: &Broker, pool: &PgPool) -> anyhow::Result<usize> {
    let mut rows = claim(pool).await?;
    // `UPDATE .. RETURNING` has no order. Consumers do not rely on the order of events, but work less when it is kept.
    rows.sort_unstable_by_key(|row| row.position);
    let mut confirms = Vec::with_capacity(rows.len());
    for row in &rows {
        crate::fault_point::reach("relay.publish");
        let options = BasicPublishOptions {
            mandatory: true,
            ..Default::default()
        };
        let confirm = channel
            .basic_publish(
                broker.exchange(),
                row.event_type.as_str().into(),
                options,
                &row.payload,
                properties(row),
            )
            .await?;
        confirms.push((row.position, confirm));
    }
    let mut confirmed = Vec::with_capacity(confirms.len());
    for (position, confirm) in confirms {
        let confirmation = tokio::time::timeout(CONFIRM_TIMEOUT, confirm)
            .await
            .map_err(|_| anyhow::anyhow!("publish timed out"))??;
        match confirmation {
            Confirmation::Ack(None) => confirmed.push(position),
            other => {
                tracing::error!(position, confirmation = ?other, "publish not confirmed; event stays in the outbox")
            }
        }
    }
    crate::fault_point::reach("relay.confirmed");
    sqlx::query!("DELETE FROM outbox WHERE position = ANY($1)", &confirmed)
        .execute(pool)
        .await?;
    Ok(confirmed.len())
}

async fn claim(pool: &PgPool) -> Result<Vec<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        "UPDATE outbox SET leased_until = now() + make_interval(secs => $1)
         WHERE position IN (
             SELECT position FROM outbox
             WHERE leased_until IS NULL OR leased_until < now()
             ORDER BY position LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING position, event_id, kind AS event_type, aggregate_id, aggregate_version, payload, trace_parent",
        LEASE.as_secs_f64(),
        BATCH_SIZE,
    )
    .fetch_all(pool)
    .await
}

fn properties(row: &Row) -> BasicProperties {
    let mut headers = FieldTable::default();
    let mut header = |name: &str, value: &str| {
        headers.insert(name.into(), AMQPValue::LongString(value.into()));
    };
    header("aggregate-id", &row.aggregate_id);
    header("aggregate-version", &row.aggregate_version.to_string());
    header("version", "1");
    if let Some(parent) = &row.trace_parent {
        header("traceparent", parent);
    }
    BasicProperties::default()
        .with_message_id(row.event_id.to_string().into())
        .with_type(row.event_type.as_str().into())
        .with_content_type("application/x-protobuf".into())
        // Persistent: survives a restart of the broker.
        .with_delivery_mode(2)
        .with_headers(headers)
}
