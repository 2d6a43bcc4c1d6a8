//! Audits charges: each with its refunds, disputes, debt, effects and published events.

use jiff::Timestamp;
use kit::metrics::{Counter, Gauge};
use sqlx::{PgConnection, PgPool};

use crate::db::{audit, charge_pages};
use crate::domain::audit::AuditFinding;
use crate::domain::comparison::Comparison;

/// Number of charges that are read at once.
const BATCH_SIZE: i64 = 500;

pub static RUNS: Counter = Counter::new("payments.audit.runs", "Audits of charges by result");
static FINDINGS: Gauge = Gauge::new(
    "payments.audit.findings",
    "Differences that the newest audit of charges found",
);

/// Audits all charges with one snapshot.
pub async fn audit_all(pool: &PgPool, now: Timestamp) -> Result<Vec<AuditFinding>, kit::InternalError> {
    let mut tx = kit::postgres::begin_with(pool, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    audit_since(&mut tx, None, now).await
}

/// Audits the charges that changed since the newest audit without findings, and records the progress. Returns `None` if
/// another replica is auditing.
pub async fn audit_new(
    pool: &PgPool,
    now: Timestamp,
) -> Result<Option<Vec<AuditFinding>>, kit::InternalError> {
    let mut tx = kit::postgres::begin_with(pool, "BEGIN ISOLATION LEVEL REPEATABLE READ").await?;
    if !audit::lock(&mut tx).await? {
        return Ok(None);
    }
    let since = audit::unaudited_since(&mut tx).await?;
    let findings = audit_since(&mut tx, since, now).await?;
    if findings.is_empty() {
        audit::record_progress(&mut tx).await?;
    }
    tx.commit().await?;
    report(&findings);
    Ok(Some(findings))
}

/// Counts a comparison that could not be completed.
pub fn report_failure(error: &kit::InternalError) {
    RUNS.add(1, &[("result", "failed")]);
    tracing::warn!(%error, "audit of charges failed; will retry");
}

async fn audit_since(
    conn: &mut PgConnection,
    since: Option<Timestamp>,
    now: Timestamp,
) -> Result<Vec<AuditFinding>, kit::InternalError> {
    let mut findings = Vec::new();
    let mut after = None;
    loop {
        let batch = charge_pages::list_for_audit(conn, since, after, BATCH_SIZE).await?;
        let Some(last) = batch.last() else {
            return Ok(findings);
        };
        after = Some(last.id);
        for audited in audit::records(conn, batch).await? {
            findings.extend(audited.audit(now));
        }
    }
}

/// Counts a comparison with the provider.
pub fn report_comparison(comparison: &Comparison) {
    let updated = comparison.updated.len();
    if updated > 0 {
        tracing::warn!(
            updated,
            "charges got a state of the provider that no webhook had reported"
        );
    }
    let (differences, failed) = (comparison.differences.len(), comparison.failed.len());
    if failed > 0 {
        RUNS.add(1, &[("result", "failed")]);
        tracing::error!(
            failed,
            "charges were not compared with the provider; see `payments audit --provider`"
        );
    } else if differences == 0 {
        RUNS.add(1, &[("result", "provider_agrees")]);
    }
    if differences > 0 {
        RUNS.add(1, &[("result", "provider_differs")]);
        tracing::error!(
            differences,
            "charges differ from the provider; see `payments audit --provider`"
        );
    }
}

fn report(findings: &[AuditFinding]) {
    FINDINGS.set(u64::try_from(findings.len()).unwrap_or(u64::MAX), &[]);
    if findings.is_empty() {
        tracing::debug!("charges are consistent");
    } else {
        tracing::error!(
            findings = findings.len(),
            "charges are inconsistent; see `payments audit`"
        );
    }
}
