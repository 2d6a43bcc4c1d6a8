//! Audits of a service's own rows at an interval.

use std::{fmt::Display, time::Duration};

use super::RESULTS;
use crate::{lifecycle::Process, metrics::Counter};

/// What a periodic audit is called, when it runs, and what counts its results.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    /// In the log, for example `ledger audit`.
    pub name: &'static str,
    pub interval: Duration,
    pub runs: &'static Counter,
}

/// Audits at once and then at every interval until shutdown. `audit` returns whether the rows are consistent, or `None` if another
/// replica audits.
pub async fn run_periodically<F, E>(process: &Process, schedule: Schedule, audit: impl Fn() -> F)
where
    F: Future<Output = Result<Option<bool>, E>>,
    E: Display,
{
    let Schedule { name, interval, runs } = schedule;
    runs.export("result", RESULTS);
    loop {
        match audit().await {
            Ok(Some(true)) => runs.add(1, &[("result", "consistent")]),
            Ok(Some(false)) => runs.add(1, &[("result", "inconsistent")]),
            Ok(None) => tracing::debug!(audit = name, "another replica audits"),
            Err(error) => {
                runs.add(1, &[("result", "failed")]);
                tracing::warn!(audit = name, %error, "audit failed; will retry");
            }
        }
        if !process.sleep(interval).await {
            return;
        }
    }
}
