//! Repeats an operation at a fixed rate (open loop) or with a fixed concurrency (closed loop).

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use async_trait::async_trait;
use futures::future::join_all;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep_until},
};

use crate::report::percentile;

/// With more operations in flight the rate is not sustained, so the loop stops.
const MAX_IN_FLIGHT: usize = 5_000;

/// An operation that is measured.
#[async_trait]
pub trait Operation: Send + Sync + 'static {
    /// `number` is different for each call.
    async fn run(&self, number: usize) -> anyhow::Result<()>;
}

#[derive(Debug)]
pub struct LoadGenerator<O> {
    pub operation: O,
    next_number: AtomicUsize,
}

#[derive(Debug, Default)]
pub struct Measurement {
    /// How long operations were offered.
    pub time: Duration,
    /// Latency of each success from its due time to the response; sorted.
    pub latencies: Vec<Duration>,
    /// Number of successes while operations were still offered.
    pub in_time: usize,
    /// Number of failures by message.
    pub failed: BTreeMap<String, usize>,
}

impl Measurement {
    /// Successes per second while operations were offered.
    #[must_use]
    pub fn per_second(&self) -> f64 {
        self.in_time as f64 / self.time.as_secs_f64()
    }

    #[must_use]
    pub fn percentile(&self, percent: usize) -> Duration {
        percentile(&self.latencies, percent)
    }
}

/// Due time, response time and result of one operation.
type Completed = (Instant, Instant, Result<(), String>);

impl<O: Operation> LoadGenerator<O> {
    pub fn new(operation: O) -> Arc<Self> {
        Arc::new(Self {
            operation,
            next_number: AtomicUsize::new(0),
        })
    }

    async fn run(self: Arc<Self>, due: Instant) -> Completed {
        let number = self.next_number.fetch_add(1, Relaxed);
        let result = self
            .operation
            .run(number)
            .await
            .map_err(|error| format!("{error:#}"));
        (due, Instant::now(), result)
    }

    /// Starts operations at a rate, independent of responses. Latency counts from the due time, so that queueing in the
    /// generator is included.
    pub async fn open_loop(self: &Arc<Self>, rate: f64, time: Duration) -> Measurement {
        let start = Instant::now();
        let period = Duration::from_secs_f64(1.0 / rate.max(0.1));
        let mut due = start;
        let mut in_flight = JoinSet::new();
        let mut all = Vec::new();
        while due < start + time {
            sleep_until(due).await;
            in_flight.spawn(Arc::clone(self).run(due));
            due += period;
            while let Some(completed) = in_flight.try_join_next() {
                all.extend(completed);
            }
            if in_flight.len() > MAX_IN_FLIGHT {
                break;
            }
        }
        while let Some(completed) = in_flight.join_next().await {
            all.extend(completed);
        }
        summarize(all, start + time, time)
    }

    /// Keeps a number of operations in flight.
    pub async fn closed_loop(self: &Arc<Self>, concurrency: usize, time: Duration) -> Measurement {
        let end = Instant::now() + time;
        let workers = (0..concurrency).map(|_| {
            let generator = Arc::clone(self);
            tokio::spawn(async move {
                let mut own = Vec::new();
                while Instant::now() < end {
                    own.push(Arc::clone(&generator).run(Instant::now()).await);
                }
                own
            })
        });
        let all = join_all(workers).await.into_iter().flatten().flatten();
        summarize(all.collect(), end, time)
    }
}

fn summarize(all: Vec<Completed>, end: Instant, time: Duration) -> Measurement {
    let mut measurement = Measurement {
        time,
        ..Measurement::default()
    };
    for (due, at, result) in all {
        match result {
            Ok(()) => {
                measurement.latencies.push(at - due);
                measurement.in_time += usize::from(at <= end);
            }
            Err(message) => *measurement.failed.entry(message).or_default() += 1,
        }
    }
    measurement.latencies.sort_unstable();
    measurement
}
