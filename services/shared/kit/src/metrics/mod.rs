//! Metrics: exported with OTLP or served for Prometheus if configured. Otherwise recording does nothing.
//!
//! Instruments are statics, declared where they are recorded. Labels are static text, so that metrics contain no
//! personal data and a limited number of values.

mod export;
mod http;
mod timer;

use std::{sync::OnceLock, time::Duration};

use opentelemetry::{KeyValue, metrics::Meter};

pub use self::{export::serve, http::HttpRequestTimer};
pub(crate) use self::{export::start, timer::Timer};

/// Set if metrics are exported or served.
static METER: OnceLock<Meter> = OnceLock::new();

/// Upper bounds of histogram buckets in seconds.
const DURATION_BOUNDS: [f64; 14] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
];

/// Name and value.
pub type Label = (&'static str, &'static str);

/// Returns whether metrics are exported or served, so that expensive measurements can be skipped.
#[must_use]
pub fn is_enabled() -> bool {
    METER.get().is_some()
}

/// Counts events. Prometheus: `{name}_total`, with underscores for dots.
#[derive(Debug)]
pub struct Counter {
    name: &'static str,
    description: &'static str,
    instrument: OnceLock<opentelemetry::metrics::Counter<u64>>,
}

impl Counter {
    #[must_use]
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            instrument: OnceLock::new(),
        }
    }

    /// Exports the counter with zero, so that an alert finds it in each process, also before the first event.
    pub fn export(&self, label: &'static str, values: &[&'static str]) {
        for value in values {
            self.add(0, &[(label, value)]);
        }
    }

    pub fn add(&self, count: u64, labels: &[Label]) {
        let instrument = instrument(&self.instrument, |meter| {
            meter
                .u64_counter(self.name)
                .with_description(self.description)
                .build()
        });
        if let Some(instrument) = instrument {
            instrument.add(count, &key_values(labels));
        }
    }
}

/// A value that is set, for example the number of rows in a state. Prometheus: `{name}`, and `{name}_seconds` with a unit of
/// seconds.
#[derive(Debug)]
pub struct Gauge {
    name: &'static str,
    description: &'static str,
    unit: &'static str,
    instrument: OnceLock<opentelemetry::metrics::Gauge<u64>>,
}

impl Gauge {
    #[must_use]
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            unit: "",
            instrument: OnceLock::new(),
        }
    }

    /// Creates a gauge of whole seconds.
    #[must_use]
    pub const fn seconds(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            unit: "s",
            instrument: OnceLock::new(),
        }
    }

    pub fn set(&self, value: u64, labels: &[Label]) {
        let instrument = instrument(&self.instrument, |meter| {
            meter
                .u64_gauge(self.name)
                .with_description(self.description)
                .with_unit(self.unit)
                .build()
        });
        if let Some(instrument) = instrument {
            instrument.record(value, &key_values(labels));
        }
    }

    /// Sets the value from a count of rows or messages.
    pub fn set_count(&self, count: i64, labels: &[Label]) {
        self.set(u64::try_from(count).unwrap_or_default(), labels);
    }
}

/// Distribution of durations. Prometheus: `{name}_seconds_bucket`, `{name}_seconds_sum` and `{name}_seconds_count`.
#[derive(Debug)]
pub struct DurationHistogram {
    name: &'static str,
    description: &'static str,
    instrument: OnceLock<opentelemetry::metrics::Histogram<f64>>,
}

impl DurationHistogram {
    #[must_use]
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            instrument: OnceLock::new(),
        }
    }

    pub fn record(&self, duration: Duration, labels: &[Label]) {
        if is_enabled() {
            self.record_labels(duration, &key_values(labels));
        }
    }

    /// Records labels with values that are not known at compile time. The caller limits their number.
    fn record_labels(&self, duration: Duration, labels: &[KeyValue]) {
        let instrument = instrument(&self.instrument, |meter| {
            meter
                .f64_histogram(self.name)
                .with_description(self.description)
                .with_unit("s")
                .with_boundaries(DURATION_BOUNDS.to_vec())
                .build()
        });
        if let Some(instrument) = instrument {
            instrument.record(duration.as_secs_f64(), labels);
        }
    }
}

/// Returns the instrument, created on first use, or `None` if metrics are off.
fn instrument<T>(cell: &OnceLock<T>, create: impl FnOnce(&Meter) -> T) -> Option<&T> {
    let meter = METER.get()?;
    Some(cell.get_or_init(|| create(meter)))
}

fn key_values(labels: &[Label]) -> Vec<KeyValue> {
    labels
        .iter()
        .map(|&(name, value)| KeyValue::new(name, value))
        .collect()
}

/// Reports the connections of a pool whenever metrics are collected.
pub(crate) fn observe_pool(pool: &sqlx::PgPool) {
    let Some(meter) = METER.get() else { return };
    let observed = pool.clone();
    let connections = meter
        .u64_observable_gauge("db.client.connection.count")
        .with_description("Connections of the database pool by state")
        .with_callback(move |gauge| {
            let idle = u64::try_from(observed.num_idle()).unwrap_or_default();
            let used = u64::from(observed.size()).saturating_sub(idle);
            let state = |state: &'static str| [KeyValue::new("db.client.connection.state", state)];
            gauge.observe(idle, &state("idle"));
            gauge.observe(used, &state("used"));
        });
    connections.build();
    let limit = u64::from(pool.options().get_max_connections());
    let max = meter
        .u64_observable_gauge("db.client.connection.max")
        .with_description("Maximum number of connections of the database pool")
        .with_callback(move |gauge| gauge.observe(limit, &[]));
    max.build();
}
