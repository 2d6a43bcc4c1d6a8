//! Audits charges that changed, at once and then at an interval.

use crate::Payments;
use crate::ops::audit::{audit_new, export_runs, report_failure};

/// Runs until shutdown. Every replica may run it; one at a time audits.
pub async fn run(cx: Payments) {
    export_runs();
    loop {
        match audit_new(&cx.pool, cx.clock.now()).await {
            Ok(Some(_)) => {}
            Ok(None) => tracing::debug!("another replica audits the charges"),
            Err(error) => report_failure(&error),
        }
        if !cx.process.sleep(cx.audit_interval).await {
            return;
        }
    }
}
