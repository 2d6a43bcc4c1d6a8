//! Audits in the background.

use std::{collections::HashMap, time::Duration};

use super::{Audit, Difference, RESULTS, ReportOf, audit_due, progress};
use crate::InternalError;

/// Interval for checking whether an audit is due.
const CHECK_INTERVAL: Duration = Duration::from_secs(30);

/// Starts a worker that audits what changed, at once and then every interval of the audit, until shutdown. Every replica may run it:
/// each checks whether an audit is due, and one at a time audits.
pub fn start<A: Audit>(audit: &A) {
    let audit = audit.clone();
    let process = audit.process().clone();
    process.spawn_worker(A::NAME, move || run(audit.clone()));
}

async fn run<A: Audit>(audit: A) {
    audit.metrics().runs.export("result", RESULTS);
    loop {
        match audit_due(&audit).await {
            Ok(Some(found)) => report(&audit, &found),
            Ok(None) => {}
            Err(error) => {
                audit.metrics().runs.add(1, &[("result", "failed")]);
                tracing::warn!(audit = A::NAME, %error, "audit failed; will retry");
            }
        }
        if let Err(error) = record_differences(&audit).await {
            tracing::warn!(audit = A::NAME, %error, "differences not counted; will retry");
        }
        if !audit.process().sleep(CHECK_INTERVAL).await {
            return;
        }
    }
}

fn report<A: Audit>(audit: &A, report: &ReportOf<A>) {
    if report.differences.is_empty() {
        audit.metrics().runs.add(1, &[("result", "consistent")]);
        tracing::info!(audit = A::NAME, compared = report.compared, "no differences");
        return;
    }
    audit.metrics().runs.add(1, &[("result", "inconsistent")]);
    for (subject_id, difference) in &report.differences {
        tracing::error!(audit = A::NAME, %subject_id, %difference, "difference found; the audit command lists all");
    }
}

/// Sets the metric to the differences that are stored, so that all replicas report the same.
async fn record_differences<A: Audit>(audit: &A) -> Result<(), InternalError> {
    let mut conn = audit.pool().acquire().await?;
    let counts = progress::count_differences(&mut conn, A::NAME).await?;
    let counts: HashMap<String, i64> = counts.into_iter().collect();
    for difference in A::Difference::ALL {
        let count = counts.get(difference.as_str()).copied().unwrap_or_default();
        let labels = [("kind", difference.as_str())];
        audit.metrics().differences.set_count(count, &labels);
    }
    Ok(())
}
