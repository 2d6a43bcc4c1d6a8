//! Generates orders at a fixed rate (open loop) or with a fixed concurrency (closed loop).

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use futures::future::join_all;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep_until},
};

use crate::consumers::Target;

/// With more orders in flight the rate is not sustained, so the loop stops.
const MAX_IN_FLIGHT: usize = 5_000;

#[derive(Debug)]
pub struct LoadGenerator {
    target: Target,
    next_number: AtomicUsize,
}

#[derive(Debug, Default)]
pub struct Measurement {
    /// How long orders were offered.
    pub time: Duration,
    /// Latency of each placed order from its due time to the response; sorted.
    pub latencies: Vec<Duration>,
    /// Number of responses received while orders were still offered.
    pub in_time: usize,
    /// Number of failures by message.
    pub failed: BTreeMap<String, usize>,
}

impl Measurement {
    /// Orders per second completed while orders were offered.
    #[must_use]
    pub fn per_second(&self) -> u32 {
        let millis = self.time.as_millis().max(1);
        u32::try_from(self.in_time as u128 * 1_000 / millis).unwrap_or(u32::MAX)
    }

    #[must_use]
    pub fn percentile(&self, percent: usize) -> Duration {
        let rank = self.latencies.len() * percent / 100;
        self.latencies
            .get(rank.min(self.latencies.len().saturating_sub(1)))
            .copied()
            .unwrap_or(Duration::MAX)
    }
}

/// Due time, response time and result of one order.
type Completed = (Instant, Instant, Result<(), String>);

impl LoadGenerator {
    pub const fn new(target: Target) -> Self {
        Self {
            target,
            next_number: AtomicUsize::new(0),
        }
    }

    async fn place_order(self: Arc<Self>, due: Instant) -> Completed {
        let number = self.next_number.fetch_add(1, Relaxed);
        let result = self
            .target
            .place_order(number)
            .await
            .map_err(|error| format!("{error:#}"));
        (due, Instant::now(), result)
    }

    /// Offers orders at a rate, independent of responses. Latency counts from the due time of an order, so that queueing in the
    /// generator is included.
    pub async fn open_loop(self: &Arc<Self>, rate: u32, time: Duration) -> Measurement {
        let start = Instant::now();
        let count = u64::from(rate) * time.as_secs();
        let mut in_flight = JoinSet::new();
        let mut all = Vec::new();
        for number in 0..count {
            let due = start + time.mul_f64(number as f64 / count as f64);
            sleep_until(due).await;
            in_flight.spawn(Arc::clone(self).place_order(due));
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

    /// Keeps a number of orders in flight.
    pub async fn closed_loop(self: &Arc<Self>, concurrency: usize, time: Duration) -> Measurement {
        let end = Instant::now() + time;
        let workers = (0..concurrency).map(|_| async {
            let mut own = Vec::new();
            while Instant::now() < end {
                own.push(Arc::clone(self).place_order(Instant::now()).await);
            }
            own
        });
        summarize(join_all(workers).await.into_iter().flatten().collect(), end, time)
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
