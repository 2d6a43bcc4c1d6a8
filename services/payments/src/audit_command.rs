//! `payments audit`: audits all charges.

use std::io::{self, Write};

use jiff::Timestamp;
use sqlx::PgPool;

use crate::ops::audit::audit_all;

/// Writes one line for each difference: the charge, its purpose, what it pays for, and the difference, separated by tabs.
///
/// # Errors
/// There are differences, or the database is unavailable.
pub async fn run(pool: &PgPool, now: Timestamp) -> anyhow::Result<()> {
    let findings = audit_all(pool, now).await?;
    let mut out = io::stdout().lock();
    for finding in &findings {
        writeln!(out, "{finding}")?;
    }
    anyhow::ensure!(
        findings.is_empty(),
        "charges are inconsistent: {} differences",
        findings.len()
    );
    writeln!(out, "charges are consistent")?;
    Ok(())
}
