//! Audits the ledger, the holds and the purchases.

use kit::{
    InternalError,
    metrics::{Counter, Gauge},
};
use ledger::{AuditRules, HoldRules, LiveHoldsFuture, Overdraft};
use sqlx::PgConnection;

use crate::{
    GiftCards,
    db::{
        accounts::IN_FLIGHT,
        holds,
        purchase_audit::{self, PurchaseMismatch},
    },
};

/// Balances are never negative, and the in-flight account contains the held amounts.
pub const RULES: AuditRules = AuditRules {
    overdraft: Overdraft::Forbidden,
    holds: Some(HoldRules {
        in_flight: IN_FLIGHT,
        live_holds,
    }),
};

fn live_holds(conn: &mut PgConnection) -> LiveHoldsFuture<'_> {
    Box::pin(holds::live(conn))
}

/// Counted by the worker.
pub(crate) static PURCHASE_RUNS: Counter = Counter::new(
    "gift_cards.purchase_audit.runs",
    "Comparisons of the purchases with the ledger by result",
);
static PURCHASE_FINDINGS: Gauge = Gauge::new(
    "gift_cards.purchase_audit.findings",
    "Purchases that did not match the ledger in the newest audit",
);

/// Purchases that one audit reports.
const MAX_FINDINGS: i64 = 100;

/// Audits the whole ledger, and compares the purchases with it.
///
/// # Errors
/// The ledger is inconsistent; the log lists the findings.
pub(crate) async fn audit(cx: &GiftCards) -> anyhow::Result<()> {
    let purchases = audit_purchases(cx).await?;
    ledger::audit_worker::run_full(&cx.pool, &RULES).await?;
    anyhow::ensure!(
        purchases.is_empty(),
        "purchases do not match the ledger: {} findings",
        purchases.len()
    );
    Ok(())
}

/// Compares all purchases with the ledger. Returns those that do not match, and logs an error if there are any.
pub async fn audit_purchases(cx: &GiftCards) -> Result<Vec<PurchaseMismatch>, InternalError> {
    let mut tx =
        kit::postgres::begin_with(&cx.pool, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    kit::postgres::remove_statement_timeout(&mut tx).await?;
    let findings = purchase_audit::mismatches(&mut tx, None, MAX_FINDINGS).await?;
    report(&findings);
    Ok(findings)
}

/// Compares the purchases that changed since the newest audit without findings, and records the progress. Returns `None` if
/// another replica is auditing.
pub async fn audit_new_purchases(cx: &GiftCards) -> Result<Option<Vec<PurchaseMismatch>>, InternalError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin_with(&cx.pool, "BEGIN ISOLATION LEVEL REPEATABLE READ").await?;
    if !purchase_audit::lock(&mut tx).await? {
        return Ok(None);
    }
    kit::postgres::remove_statement_timeout(&mut tx).await?;
    let audited_at = purchase_audit::audited_at(&mut tx).await?;
    let findings = purchase_audit::mismatches(&mut tx, audited_at, MAX_FINDINGS).await?;
    if findings.is_empty() {
        purchase_audit::set_audited_at(&mut tx, now).await?;
    }
    tx.commit().await?;
    report(&findings);
    Ok(Some(findings))
}

fn report(findings: &[PurchaseMismatch]) {
    PURCHASE_FINDINGS.set(u64::try_from(findings.len()).unwrap_or(u64::MAX), &[]);
    if findings.is_empty() {
        tracing::info!("purchases match the ledger");
    } else {
        tracing::error!(?findings, "purchases do not match the ledger");
    }
}
