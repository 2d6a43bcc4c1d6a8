//! The progress of incremental audits.

use sqlx::PgConnection;
use uuid::Uuid;

/// Where an audit starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Progress {
    /// Whether the audited lines of `ledger.audited_accounts` are skipped.
    pub(super) is_incremental: bool,
    /// Postings with a smaller id are skipped.
    pub(super) first_posting: Uuid,
}

impl Progress {
    /// Nothing was audited.
    pub(super) const NONE: Self = Self {
        is_incremental: false,
        first_posting: Uuid::nil(),
    };
}

/// Returns whether this transaction is the only one that audits incrementally.
pub(super) async fn lock(conn: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"SELECT pg_try_advisory_xact_lock(hashtext('ledger.audit')) AS "is_locked!""#)
        .fetch_one(conn)
        .await
}

/// Ids of postings contain the time of their creation by the clock of a service (`UUIDv7`). The postings of the last
/// hour before the previous audit are audited again, because a transaction commits later than the time in its id.
pub(super) async fn read(conn: &mut PgConnection) -> sqlx::Result<Progress> {
    let audited_to = sqlx::query_scalar!(
        r#"SELECT (extract(epoch FROM audited_at - interval '1 hour') * 1000)::bigint AS "milliseconds!"
           FROM ledger.audit_progress"#,
    )
    .fetch_optional(conn)
    .await?;
    let milliseconds = audited_to.and_then(|milliseconds| u128::try_from(milliseconds).ok());
    Ok(milliseconds.map_or(Progress::NONE, |milliseconds| Progress {
        is_incremental: true,
        first_posting: Uuid::from_u128(milliseconds << 80),
    }))
}

/// Records the state of this transaction's snapshot as audited. Selects the changed accounts first, because ON CONFLICT locks, and
/// so writes, each selected row.
pub(super) async fn record(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO ledger.audited_accounts (account_id, line, balance)
         SELECT b.account_id, b.line, b.balance
         FROM ledger.balances b LEFT JOIN ledger.audited_accounts audited ON audited.account_id = b.account_id
         WHERE audited.line IS DISTINCT FROM b.line
         ON CONFLICT ON CONSTRAINT audited_accounts_pkey
         DO UPDATE SET line = excluded.line, balance = excluded.balance",
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "INSERT INTO ledger.audit_progress (audited_at) VALUES (now())
         ON CONFLICT ON CONSTRAINT audit_progress_pkey DO UPDATE SET audited_at = excluded.audited_at",
    )
    .execute(conn)
    .await
    .map(drop)
}
