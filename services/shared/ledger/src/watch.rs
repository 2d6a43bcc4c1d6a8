//! Proves the books from time to time and says so loudly when they do not balance.

use std::time::Duration;

use kit::lifecycle::Process;
use sqlx::PgPool;

use crate::{Audit, audit};

/// Audits every so often until the process is told to stop. Other replicas do too: an audit only reads.
pub async fn watch(process: Process, pool: PgPool, every: Duration) {
    while process.sleep(every).await {
        match look(&pool).await {
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

/// One picture for all its questions, whatever is posted meanwhile.
async fn look(pool: &PgPool) -> sqlx::Result<Audit> {
    let mut tx = pool
        .begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        .await?;
    audit(&mut tx).await
}
