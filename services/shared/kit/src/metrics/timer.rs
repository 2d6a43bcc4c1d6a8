//! Measures one request.

use opentelemetry::KeyValue;
use tokio::time::Instant;

use super::{DurationHistogram, is_enabled};

/// Records the duration of a request when it ends or its future is dropped.
#[derive(Debug)]
pub(crate) struct Timer {
    histogram: &'static DurationHistogram,
    started: Instant,
    labels: Vec<KeyValue>,
    outcome: KeyValue,
}

impl Timer {
    /// Starts to measure, or returns `None` if metrics are off. `outcome` is the label recorded if the future is dropped.
    pub(crate) fn start(
        histogram: &'static DurationHistogram,
        labels: impl FnOnce() -> Vec<KeyValue>,
        outcome: (&'static str, &'static str),
    ) -> Option<Self> {
        is_enabled().then(|| Self {
            histogram,
            started: Instant::now(),
            labels: labels(),
            outcome: KeyValue::new(outcome.0, outcome.1),
        })
    }

    /// Records the outcome of a completed request.
    pub(crate) fn finish(mut self, outcome: impl Into<opentelemetry::Value>) {
        self.outcome.value = outcome.into();
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.labels.push(self.outcome.clone());
        self.histogram.record_labels(self.started.elapsed(), &self.labels);
    }
}
