//! Audits charges that changed, at once and then at an interval.

use kit::audit::{Schedule, run_periodically};

use crate::Payments;
use crate::ops::audit::{RUNS, audit_new};

/// Runs until shutdown. Every replica may run it; one at a time audits.
pub async fn run(cx: Payments) {
    let schedule = Schedule {
        name: "audit of charges",
        interval: cx.audit_interval,
        runs: &RUNS,
    };
    run_periodically(&cx.process, schedule, || async {
        let findings = audit_new(&cx.pool, cx.clock.now()).await?;
        Ok::<_, kit::InternalError>(findings.map(|findings| findings.is_empty()))
    })
    .await;
}
