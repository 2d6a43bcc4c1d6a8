//! Checks that the ledger is consistent.

mod checks;
mod progress;

use std::pin::Pin;

use sqlx::{PgConnection, PgPool};
use types::EntryId;
use uuid::Uuid;

use self::progress::Progress;
use crate::{account::AccountId, posting::Overdraft};

/// Rules for the ledger of a service.
#[derive(Debug, Clone, Copy)]
pub struct AuditRules {
    /// Whether balances of owners may be negative.
    pub overdraft: Overdraft,
    /// `None` if the service has no holds.
    pub holds: Option<HoldRules>,
}

/// The amounts in the in-flight account must equal the service's live holds.
#[derive(Debug, Clone, Copy)]
pub struct HoldRules {
    pub in_flight: AccountId,
    /// Reads the holds that are neither captured nor released.
    pub live_holds: ReadLiveHolds,
}

pub type ReadLiveHolds = for<'c> fn(&'c mut PgConnection) -> LiveHoldsFuture<'c>;
pub type LiveHoldsFuture<'c> = Pin<Box<dyn Future<Output = sqlx::Result<Vec<LiveHold>>> + Send + 'c>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveHold {
    /// [`Posting::subject`](crate::Posting::subject) of the hold's postings.
    pub subject: Uuid,
    /// In the unit of the in-flight account.
    pub amount: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    /// Number of postings checked.
    pub postings: i64,
    /// Number of accounts.
    pub accounts: i64,
    /// Empty if the ledger is consistent.
    pub findings: Vec<AuditFinding>,
}

/// An inconsistency in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditFinding {
    /// The balance differs from the sum of the account's postings, or its line number from their count.
    BalanceMismatch {
        account: AccountId,
        balance: i64,
        sum_of_postings: i64,
    },
    /// The balance after a line is not the previous balance plus the line's amount, or the previous line is missing.
    BrokenStatement { account: AccountId, line: i64 },
    /// An owner's account has no balance row, or a system account has one.
    BalanceRowMismatch { account: AccountId },
    /// The balance of an owner is negative.
    NegativeBalance { account: AccountId, balance: i64 },
    /// An account of the posting does not exist in the posting's unit, or an owner's side has no line, or a system account's
    /// side has one.
    IncompletePosting { posting: EntryId },
    /// The amount in flight for an order differs from the amount that the service holds for it. `None` stands for
    /// postings of the in-flight account without a subject.
    HoldMismatch {
        subject: Option<Uuid>,
        held: i64,
        in_flight: i64,
    },
}

/// Audits the whole ledger in a read-only transaction of its own, with one snapshot for all checks and without a
/// statement timeout.
pub async fn audit_all(pool: &PgPool, rules: &AuditRules) -> sqlx::Result<Audit> {
    let mut tx = kit::postgres::begin_with(pool, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    kit::postgres::remove_statement_timeout(&mut tx).await?;
    audit(&mut tx, rules).await
}

/// Audits rows written since the newest audit without findings, and records the progress. Returns `None` if another
/// replica is auditing.
pub async fn audit_new(pool: &PgPool, rules: &AuditRules) -> sqlx::Result<Option<Audit>> {
    let mut tx = kit::postgres::begin_with(pool, "BEGIN ISOLATION LEVEL REPEATABLE READ").await?;
    if !progress::lock(&mut tx).await? {
        return Ok(None);
    }
    kit::postgres::remove_statement_timeout(&mut tx).await?;
    let progress = progress::read(&mut tx).await?;
    let audit = audit_from(&mut tx, rules, progress).await?;
    if audit.findings.is_empty() {
        progress::record(&mut tx).await?;
    }
    tx.commit().await?;
    Ok(Some(audit))
}

/// Audits the whole ledger. The transaction must be REPEATABLE READ if postings can be written concurrently.
pub async fn audit(conn: &mut PgConnection, rules: &AuditRules) -> sqlx::Result<Audit> {
    audit_from(conn, rules, Progress::NONE).await
}

async fn audit_from(conn: &mut PgConnection, rules: &AuditRules, progress: Progress) -> sqlx::Result<Audit> {
    let (postings, accounts) = checks::count(conn, progress).await?;
    let mut findings = checks::balance_mismatches(conn, progress).await?;
    findings.extend(checks::broken_statements(conn, progress).await?);
    findings.extend(checks::balance_row_mismatches(conn).await?);
    findings.extend(checks::incomplete_postings(conn, progress).await?);
    if rules.overdraft == Overdraft::Forbidden {
        findings.extend(checks::negative_balances(conn).await?);
    }
    if let Some(holds) = rules.holds {
        let live_holds = (holds.live_holds)(conn).await?;
        findings.extend(checks::hold_mismatches(conn, progress, holds.in_flight, &live_holds).await?);
    }
    Ok(Audit {
        postings,
        accounts,
        findings,
    })
}
