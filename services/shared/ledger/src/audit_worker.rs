//! Audits the ledger at a fixed interval, or once.

use std::time::Duration;

use kit::{
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
    RUNS.export("result", kit::audit::RESULTS);
    loop {
        match audit_new(&pool, &rules).await {
            Ok(Some(audit)) => report(&audit),
            Ok(None) => tracing::debug!("another replica audits the ledger"),
            Err(error) => {
                RUNS.add(1, &[("result", "failed")]);
                tracing::warn!(%error, "ledger audit failed; will retry");
            }
        }
        if !process.sleep(interval).await {
            return;
        }
    }
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

fn report(audit: &Audit) {
    FINDINGS.set(u64::try_from(audit.findings.len()).unwrap_or(u64::MAX), &[]);
    if audit.findings.is_empty() {
        RUNS.add(1, &[("result", "consistent")]);
        tracing::info!(
            postings = audit.postings,
            accounts = audit.accounts,
            "ledger is consistent"
        );
    } else {
        RUNS.add(1, &[("result", "inconsistent")]);
        tracing::error!(findings = ?audit.findings, "ledger is inconsistent");
    }
}
