//! Audits the ledger at a fixed interval, or once.

use std::time::Duration;

use kit::{
    audit::Schedule,
    lifecycle::Process,
    metrics::{Counter, Gauge},
};
use sqlx::PgPool;

use crate::audit::{Audit, AuditRules, audit_all, audit_new};

static RUNS: Counter = Counter::new("ledger.audit.runs", "Ledger audits by result");
static FINDINGS: Gauge = Gauge::new("ledger.audit.findings", "Findings of the newest ledger audit");

/// Starts a worker that audits new rows of the ledger, at once and then every `interval` until shutdown. Logs an error
/// if the ledger is inconsistent. Every replica may run it; one at a time audits.
pub fn start(process: &Process, pool: &PgPool, interval: Duration, rules: AuditRules) {
    let (context, pool) = (process.clone(), pool.clone());
    process.spawn_worker("ledger audit", move || {
        run(context.clone(), pool.clone(), interval, rules)
    });
}

async fn run(process: Process, pool: PgPool, interval: Duration, rules: AuditRules) {
    let schedule = Schedule {
        name: "ledger audit",
        interval,
        runs: &RUNS,
    };
    kit::audit::run_periodically(&process, schedule, || async {
        let audit = audit_new(&pool, &rules).await?;
        Ok::<_, sqlx::Error>(audit.as_ref().map(report))
    })
    .await;
}

/// Audits the whole ledger once.
///
/// # Errors
/// The ledger is inconsistent; the log lists the findings.
pub async fn run_full(pool: &PgPool, rules: &AuditRules) -> anyhow::Result<()> {
    let audit = audit_all(pool, rules).await?;
    report(&audit);
    anyhow::ensure!(
        audit.findings.is_empty(),
        "the ledger is inconsistent: {} findings",
        audit.findings.len()
    );
    Ok(())
}

/// Returns whether the ledger is consistent.
fn report(audit: &Audit) -> bool {
    let is_consistent = audit.findings.is_empty();
    FINDINGS.set(u64::try_from(audit.findings.len()).unwrap_or(u64::MAX), &[]);
    if is_consistent {
        tracing::info!(
            postings = audit.postings,
            accounts = audit.accounts,
            "ledger is consistent"
        );
    } else {
        tracing::error!(findings = ?audit.findings, "ledger is inconsistent");
    }
    is_consistent
}
