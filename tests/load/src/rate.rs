//! Orders at a rate (open loop) or as fast as they are answered (closed loop).

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

use crate::people::Place;

/// More than that at once only means that the rate is not held.
const MOST_AT_ONCE: usize = 5_000;

/// Somewhere to order, and how many have been ordered.
#[derive(Debug)]
pub struct Orders {
    place: Place,
    number: AtomicUsize,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Measured {
    /// How long orders were offered for.
    pub time: Duration,
    /// Of each placed order, from the moment that it was due to its answer; sorted.
    pub latencies: Vec<Duration>,
    /// How many were answered while orders were still offered.
    pub in_time: usize,
    /// What else was said, and how often.
    pub failed: BTreeMap<String, usize>,
}

impl Measured {
    /// Orders a second that were done while they were offered.
    #[must_use]
    pub fn a_second(&self) -> u32 {
        let millis = self.time.as_millis().max(1);
        u32::try_from(self.in_time as u128 * 1_000 / millis).unwrap_or(u32::MAX)
    }

    /// The latency that so many of a hundred stay under.
    #[must_use]
    pub fn quantile(&self, hundredths: usize) -> Duration {
        let rank = self.latencies.len() * hundredths / 100;
        self.latencies
            .get(rank.min(self.latencies.len().saturating_sub(1)))
            .copied()
            .unwrap_or(Duration::MAX)
    }
}

/// One order: when it was due, when it was answered, and with what.
type Answered = (Instant, Instant, Result<(), String>);

impl Orders {
    /// None yet.
    pub const fn new(place: Place) -> Self {
        Self {
            place,
            number: AtomicUsize::new(0),
        }
    }

    async fn one(self: Arc<Self>, due: Instant) -> Answered {
        let number = self.number.fetch_add(1, Relaxed);
        let answer = self
            .place
            .order(number)
            .await
            .map_err(|error| format!("{error:#}"));
        (due, Instant::now(), answer)
    }

    /// Offers orders at a rate, whether earlier ones are answered or not. Latency counts from when an order was due, so
    /// that a system that falls behind cannot hide it.
    pub async fn open_loop(self: &Arc<Self>, rate: u32, time: Duration) -> Measured {
        let start = Instant::now();
        let count = u64::from(rate) * time.as_secs();
        let mut under_way = JoinSet::new();
        let mut all = Vec::new();
        for number in 0..count {
            let due = start + time.mul_f64(number as f64 / count as f64);
            sleep_until(due).await;
            under_way.spawn(Arc::clone(self).one(due));
            while let Some(answered) = under_way.try_join_next() {
                all.extend(answered);
            }
            if under_way.len() > MOST_AT_ONCE {
                break;
            }
        }
        while let Some(answered) = under_way.join_next().await {
            all.extend(answered);
        }
        summed_up(all, start + time, time)
    }

    /// So many orders at once, each followed by the next as soon as it is answered.
    pub async fn closed_loop(self: &Arc<Self>, at_once: usize, time: Duration) -> Measured {
        let end = Instant::now() + time;
        let workers = (0..at_once).map(|_| async {
            let mut own = Vec::new();
            while Instant::now() < end {
                own.push(Arc::clone(self).one(Instant::now()).await);
            }
            own
        });
        summed_up(join_all(workers).await.into_iter().flatten().collect(), end, time)
    }
}

fn summed_up(all: Vec<Answered>, end: Instant, time: Duration) -> Measured {
    let mut measured = Measured {
        time,
        ..Measured::default()
    };
    for (due, at, answer) in all {
        match answer {
            Ok(()) => {
                measured.latencies.push(at - due);
                measured.in_time += usize::from(at <= end);
            }
            Err(said) => *measured.failed.entry(said).or_default() += 1,
        }
    }
    measured.latencies.sort_unstable();
    measured
}
