//! Audits the ledger at a fixed interval.

use std::time::Duration;

use kit::lifecycle::Process;
use sqlx::PgPool;

use crate::audit::audit_snapshot;

/// Starts a task that audits the ledger every `interval` until shutdown, and logs an error if it does not balance.
/// Every replica may run it: an audit only reads.
pub fn start(process: &Process, pool: &PgPool, interval: Duration) {
    process.spawn(run(process.clone(), pool.clone(), interval));
}

async fn run(process: Process, pool: PgPool, interval: Duration) {
    while process.sleep(interval).await {
        match audit_snapshot(&pool).await {
            Ok(audit) if audit.findings.is_empty() => {
                tracing::info!(
                    postings = audit.postings,
                    accounts = audit.accounts,
                    "ledger balances"
                );
            }
            Ok(audit) => tracing::error!(findings = ?audit.findings, "ledger does not balance"),
            Err(error) => tracing::warn!(%error, "ledger audit failed; will retry"),
        }
    }
}
