//! P6: events from the outbox to a consumer, next to raw confirmed publishing.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use anyhow::{Context, ensure};
use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use kit::{
    lifecycle::Process,
    messaging::{self, ConsumeError, Delivery, Handler, Topology},
    outbox::OutboxEntry,
};
use lapin::{
    BasicProperties, Confirmation, Connection, ConnectionProperties,
    options::{BasicPublishOptions, ConfirmSelectOptions, QueueDeclareOptions, QueueDeleteOptions},
    types::{AMQPValue, FieldTable},
};
use sqlx::{PgConnection, PgPool, postgres::PgPoolOptions};
use tokio::time::{Instant, sleep};
use types::{Clock, EventId, SystemClock};
use uuid::Uuid;

use crate::{
    environment::{ScratchDatabase, setting},
    generator::{LoadGenerator, Operation},
    report::{Section, TargetResult, format_ms, millis, percentile},
};

const EVENT_TYPE: &str = "load.Measured";
const TOPOLOGY: Topology = Topology::new("load", &[("load", &[EVENT_TYPE])]);
const RAW_QUEUE: &str = "load.raw";
/// Size of an `OrderPlaced` event.
const PAYLOAD_BYTES: usize = 400;
const BACKLOG: usize = 20_000;
/// Unconfirmed messages, as in the relay.
const MAX_UNCONFIRMED: usize = 100;
const EVENTS_PER_SECOND: f64 = 1_000.0;
const TIMEOUT: Duration = Duration::from_mins(2);

/// Counts events, and records how long ago each was written.
struct Recorder {
    epoch: Instant,
    count: AtomicUsize,
    lags: Mutex<Vec<Duration>>,
}

#[async_trait]
impl Handler for Recorder {
    async fn handle(&self, event: &Delivery, _: &mut PgConnection) -> Result<(), ConsumeError> {
        let written = Duration::from_micros(u64::try_from(event.aggregate_version).unwrap_or_default());
        let lag = self.epoch.elapsed().saturating_sub(written);
        self.lags.lock().unwrap_or_else(PoisonError::into_inner).push(lag);
        self.count.fetch_add(1, Relaxed);
        Ok(())
    }
}

/// Writes one event as the services do, which lets the relay look at the outbox soon.
struct WriteEvent {
    pool: PgPool,
    epoch: Instant,
}

#[async_trait]
impl Operation for WriteEvent {
    async fn run(&self, _: usize) -> anyhow::Result<()> {
        let version = i64::try_from(self.epoch.elapsed().as_micros())?;
        let payload = vec![b'x'; PAYLOAD_BYTES];
        let event = OutboxEntry::new(
            EVENT_TYPE,
            &payload,
            "load".to_owned(),
            version,
            SystemClock.now(),
        );
        let mut connection = self.pool.acquire().await?;
        kit::outbox::append(&mut connection, event).await?;
        Ok(())
    }
}

/// Measures the events of a backlog, and then the lag at a fixed rate.
pub async fn measure(time: Duration) -> anyhow::Result<Section> {
    eprintln!("  raw publishing");
    let raw = raw_publishing(time).await?;
    let database = ScratchDatabase::create().await?;
    let pool = PgPoolOptions::new()
        .max_connections(20)
        .connect(&database.url)
        .await?;
    kit::postgres::MIGRATOR.run(&pool).await?;
    let recorder = Arc::new(Recorder {
        epoch: Instant::now(),
        count: AtomicUsize::new(0),
        lags: Mutex::default(),
    });
    eprintln!("  a backlog of {BACKLOG} events");
    write_backlog(&pool, recorder.epoch).await?;
    let process = Process::detached("load");
    let handler: Arc<dyn Handler> = Arc::<Recorder>::clone(&recorder);
    messaging::start(&process, &pool, TOPOLOGY, Some(handler))?;
    wait_for(&recorder, 1).await?;
    let (first, started) = (recorder.count.load(Relaxed), Instant::now());
    wait_for(&recorder, BACKLOG).await?;
    let per_second = (BACKLOG - first) as f64 / started.elapsed().as_secs_f64();

    eprintln!("  {EVENTS_PER_SECOND} events per second");
    recorder
        .lags
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clear();
    let writer = LoadGenerator::new(WriteEvent {
        pool: pool.clone(),
        epoch: recorder.epoch,
    });
    let written = writer.open_loop(EVENTS_PER_SECOND, time).await;
    ensure!(
        written.failed.is_empty(),
        "events were not written: {:?}",
        written.failed
    );
    wait_for(&recorder, BACKLOG + written.latencies.len()).await?;
    let mut lags = std::mem::take(&mut *recorder.lags.lock().unwrap_or_else(PoisonError::into_inner));
    lags.sort_unstable();
    process.shutdown.cancel();
    process.tasks.close();
    tokio::time::timeout(TIMEOUT, process.tasks.wait()).await?;
    pool.close().await;
    database.drop().await?;
    Ok(section(raw, per_second, written.per_second(), &lags))
}

fn section(raw: f64, per_second: f64, written_per_second: f64, lags: &[Duration]) -> Section {
    let none = || "–".to_owned();
    let lag = format_ms(percentile(lags, 50));
    let p99 = percentile(lags, 99);
    Section {
        id: "p6",
        columns: &["", "events per second", "lag, p50", "lag, p99"],
        rows: vec![
            vec![
                "from the outbox to the consumer, with a backlog".to_owned(),
                format!("{per_second:.0}"),
                none(),
                none(),
            ],
            vec![
                "at a fixed rate".to_owned(),
                format!("{written_per_second:.0}"),
                lag,
                format_ms(p99),
            ],
            vec![
                "raw confirmed publishing".to_owned(),
                format!("{raw:.0}"),
                none(),
                none(),
            ],
        ],
        targets: vec![
            TargetResult::at_least("outbox to consumer by raw publishing", per_second / raw, 0.6, ""),
            TargetResult::at_most(
                "p99 of the lag at 1,000 events per second",
                millis(p99),
                50.0,
                " ms",
            ),
        ],
    }
}

async fn wait_for(recorder: &Recorder, count: usize) -> anyhow::Result<()> {
    let end = Instant::now() + TIMEOUT;
    while recorder.count.load(Relaxed) < count {
        ensure!(
            Instant::now() < end,
            "{} of {count} events arrived",
            recorder.count.load(Relaxed)
        );
        sleep(Duration::from_millis(2)).await;
    }
    Ok(())
}

/// Writes events in one statement. Their version is the time since `epoch` in microseconds.
async fn write_backlog(pool: &PgPool, epoch: Instant) -> anyhow::Result<()> {
    let now = SystemClock.now();
    let ids: Vec<Uuid> = (0..BACKLOG).map(|_| EventId::new(now).uuid()).collect();
    sqlx::query(
        "INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
         SELECT id, $2, 'load', $3, $4, NULL, now() FROM unnest($1::uuid[]) AS id",
    )
    .bind(ids)
    .bind(EVENT_TYPE)
    .bind(i64::try_from(epoch.elapsed().as_micros())?)
    .bind(vec![b'x'; PAYLOAD_BYTES])
    .execute(pool)
    .await?;
    Ok(())
}

/// Publishes persistent messages to a quorum queue on one channel, and returns how many per second were confirmed.
async fn raw_publishing(time: Duration) -> anyhow::Result<f64> {
    let url = setting("AMQP_URL")?;
    let connection = Connection::connect(&url, ConnectionProperties::default()).await?;
    let channel = connection.create_channel().await?;
    channel.confirm_select(ConfirmSelectOptions::default()).await?;
    let options = QueueDeclareOptions {
        durable: true,
        ..Default::default()
    };
    let mut arguments = FieldTable::default();
    arguments.insert("x-queue-type".into(), AMQPValue::LongString("quorum".into()));
    channel
        .queue_declare(RAW_QUEUE.into(), options, arguments)
        .await?;
    let payload = vec![b'x'; PAYLOAD_BYTES];
    let publish = async |_| {
        let properties = BasicProperties::default().with_delivery_mode(2);
        let options = BasicPublishOptions::default();
        let published = channel.basic_publish("".into(), RAW_QUEUE.into(), options, &payload, properties);
        let confirmation = published.await?.await?;
        ensure!(
            matches!(confirmation, Confirmation::Ack(None)),
            "not confirmed: {confirmation:?}"
        );
        anyhow::Ok(())
    };
    let (started, end) = (Instant::now(), Instant::now() + time);
    let confirmed = stream::iter(0..)
        .take_while(|_| std::future::ready(Instant::now() < end))
        .map(publish)
        .buffer_unordered(MAX_UNCONFIRMED)
        .try_fold(0_u32, |count, ()| std::future::ready(Ok(count + 1)))
        .await
        .context("raw publishing")?;
    let per_second = f64::from(confirmed) / started.elapsed().as_secs_f64();
    channel
        .queue_delete(RAW_QUEUE.into(), QueueDeleteOptions::default())
        .await?;
    connection.close(200, "measured".into()).await?;
    Ok(per_second)
}
