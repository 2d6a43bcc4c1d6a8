//! Proves the books from time to time and says so loudly when they do not balance.

use std::time::Duration;

use kit::lifecycle::Process;

use crate::Rewards;

/// Audits every so many seconds until the process is told to stop.
pub async fn run(process: Process, cx: Rewards, every_seconds: u64) {
    while process.sleep(Duration::from_secs(every_seconds)).await {
        match audit(&cx).await {
            Ok(audit) if audit.faults.is_empty() => {
                tracing::info!(
                    postings = audit.postings,
                    accounts = audit.accounts,
                    "books balance"
                );
            }
            Ok(audit) => tracing::error!(faults = ?audit.faults, "books do not balance"),
            Err(error) => tracing::warn!(%error, "books could not be audited"),
        }
    }
}

async fn audit(cx: &Rewards) -> sqlx::Result<ledger::Audit> {
    let mut tx = cx
        .pool
        .begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        .await?;
    ledger::audit(&mut tx).await
}
