//! Audits the ledger.

use ledger::{AuditRules, Overdraft};

use crate::Rewards;

/// A refund revokes points that may have been spent, so that balances can be negative.
pub const RULES: AuditRules = AuditRules {
    overdraft: Overdraft::Allowed,
    holds: None,
};

/// Audits the whole ledger.
///
/// # Errors
/// The ledger is inconsistent; the log lists the findings.
pub(crate) async fn audit(cx: &Rewards) -> anyhow::Result<()> {
    ledger::audit_worker::run_full(&cx.pool, &RULES).await
}
