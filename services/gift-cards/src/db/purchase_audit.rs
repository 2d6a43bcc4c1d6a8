//! Compares purchases with their postings.

use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::PurchaseId;
use uuid::Uuid;

/// A purchase that does not match the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchaseMismatch {
    pub id: PurchaseId,
    pub state: String,
    /// Charged, in cents.
    pub amount: i64,
    /// Posted from the receipts, less what was returned to them, in cents.
    pub posted: i64,
}

/// A transaction commits later than the times in its rows.
const OVERLAP: SignedDuration = SignedDuration::from_hours(1);

/// Returns up to `limit` purchases that are completed but not posted, or posted but not completed: of those that have not
/// ended, and those that began, ended or were posted to since the previous audit, or of all purchases.
pub async fn mismatches(
    conn: &mut PgConnection,
    audited_at: Option<Timestamp>,
    limit: i64,
) -> sqlx::Result<Vec<PurchaseMismatch>> {
    let since = audited_at.map_or(Timestamp::UNIX_EPOCH, |at| at - OVERLAP);
    sqlx::query_as!(
        PurchaseMismatch,
        r#"WITH candidates AS (
             SELECT id FROM purchases WHERE id >= $3
             UNION SELECT id FROM purchases WHERE ended_at >= $4
             UNION SELECT id FROM purchases WHERE ended_at IS NULL
             UNION SELECT subject FROM ledger.postings
               WHERE id >= $3 AND $1 IN (from_account, to_account) AND subject IS NOT NULL)
           SELECT p.id, p.state, p.amount, coalesce(posted.amount, 0) AS "posted!"
           FROM candidates JOIN purchases p USING (id)
           LEFT JOIN LATERAL (
             SELECT sum(CASE posting.from_account WHEN $1 THEN posting.amount ELSE -posting.amount END)::bigint AS amount
             FROM ledger.postings posting
             WHERE posting.subject = p.id AND $1 IN (posting.from_account, posting.to_account)) posted ON true
           WHERE coalesce(posted.amount, 0) <> CASE p.state WHEN 'completed' THEN p.amount ELSE 0 END
           LIMIT $2"#,
        super::accounts::RECEIPTS.uuid(),
        limit,
        first_id(since),
        since.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await
}

/// Returns the smallest `UUIDv7` with this time.
fn first_id(at: Timestamp) -> Uuid {
    let milliseconds = u128::try_from(at.as_millisecond()).unwrap_or_default();
    Uuid::from_u128(milliseconds << 80)
}

/// Returns whether this transaction is the only one that audits incrementally.
pub async fn lock(conn: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"SELECT pg_try_advisory_xact_lock(hashtext('purchase audit')) AS "is_locked!""#)
        .fetch_one(conn)
        .await
}

/// Returns when the newest audit without findings started.
pub async fn audited_at(conn: &mut PgConnection) -> sqlx::Result<Option<Timestamp>> {
    let at = sqlx::query_scalar!(
        r#"SELECT audited_at AS "audited_at: SqlTimestamp" FROM purchase_audit_progress"#
    )
    .fetch_optional(conn)
    .await?;
    Ok(at.map(SqlTimestamp::to_jiff))
}

pub async fn set_audited_at(conn: &mut PgConnection, at: Timestamp) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO purchase_audit_progress (audited_at) VALUES ($1)
         ON CONFLICT ON CONSTRAINT purchase_audit_progress_pkey DO UPDATE SET audited_at = excluded.audited_at",
        at.to_sqlx() as _,
    )
    .execute(conn)
    .await
    .map(drop)
}
