//! Audits the ledger and the holds.

use ledger::{AuditRules, HoldRules, LiveHoldsFuture, Overdraft};
use sqlx::PgConnection;

use crate::{
    GiftCards,
    db::{accounts::IN_FLIGHT, holds},
};

/// Balances are never negative, and the in-flight account contains the held amounts.
pub const RULES: AuditRules = AuditRules {
    overdraft: Overdraft::Refused,
    holds: Some(HoldRules {
        in_flight: IN_FLIGHT,
        live_holds,
    }),
};

fn live_holds(conn: &mut PgConnection) -> LiveHoldsFuture<'_> {
    Box::pin(holds::live(conn))
}

/// Audits the whole ledger.
///
/// # Errors
/// The ledger is inconsistent; the log lists the findings.
pub(crate) async fn audit(cx: &GiftCards) -> anyhow::Result<()> {
    ledger::audit_worker::run_full(&cx.pool, &RULES).await
}
