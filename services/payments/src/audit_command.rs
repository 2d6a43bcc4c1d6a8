//! `payments audit`: audits all charges.

use std::io::{self, Write};

use jiff::Timestamp;
use sqlx::PgPool;

use crate::Payments;
use crate::ops::audit::audit_all;
use crate::ops::compare_with_provider::{MAX_AGE, compare_with_provider};

/// Writes one line for each difference: the charge, its purpose, what it pays for, and the difference, separated by tabs. With `cx`,
/// also compares the newest charges with the provider.
///
/// # Errors
/// There are differences, or the database or the provider is unavailable.
pub async fn run(pool: &PgPool, cx: Option<&Payments>, now: Timestamp) -> anyhow::Result<()> {
    let findings = audit_all(pool, now).await?;
    let mut out = io::stdout().lock();
    for finding in &findings {
        writeln!(out, "{finding}")?;
    }
    let mut differences = findings.len();
    if let Some(cx) = cx {
        let comparison = compare_with_provider(cx, now - MAX_AGE).await?;
        for (id, difference) in &comparison.differences {
            writeln!(out, "{id}\t{difference}")?;
        }
        for id in &comparison.failed {
            writeln!(out, "{id}\tnot compared")?;
        }
        differences += comparison.differences.len() + comparison.failed.len();
        let updated = comparison.updated.len();
        writeln!(
            out,
            "{} charges of the provider, {updated} updated",
            comparison.compared
        )?;
    }
    anyhow::ensure!(
        differences == 0,
        "charges are inconsistent: {differences} differences"
    );
    writeln!(out, "charges are consistent")?;
    Ok(())
}
