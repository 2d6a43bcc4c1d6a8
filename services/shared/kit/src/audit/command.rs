//! Audits everything from the command line.

use std::{
    io::{self, Write},
    time::Duration,
};

use super::{Audit, audit_all};
use crate::grpc::deadline;

/// For all subjects.
const TIMEOUT: Duration = Duration::from_hours(12);

/// Writes one line for each difference: the subject and the kind, separated by a tab.
///
/// # Errors
/// There are differences, or the database or a service is unavailable.
pub async fn run_command<A: Audit>(audit: &A) -> anyhow::Result<()> {
    let report = deadline::within(TIMEOUT, audit_all(audit)).await?;
    let mut out = io::stdout().lock();
    for (subject_id, difference) in &report.differences {
        writeln!(out, "{subject_id}\t{difference}")?;
    }
    for subject_id in &report.repaired {
        writeln!(out, "{subject_id}\trepaired")?;
    }
    let differences = report.differences.len();
    anyhow::ensure!(
        differences == 0,
        "{} do not match: {differences} differences",
        A::COMPARED
    );
    writeln!(out, "{} match", A::COMPARED)?;
    Ok(())
}
