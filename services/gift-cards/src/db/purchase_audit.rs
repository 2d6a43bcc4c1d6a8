//! Compares purchases with their postings.

use sqlx::PgConnection;
use types::PurchaseId;

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

/// Returns up to `limit` purchases that are completed but not posted, or posted but not completed.
pub async fn mismatches(conn: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<PurchaseMismatch>> {
    sqlx::query_as!(
        PurchaseMismatch,
        r#"SELECT p.id, p.state, p.amount, coalesce(posted.amount, 0) AS "posted!"
           FROM purchases p
           LEFT JOIN LATERAL (
             SELECT sum(CASE posting.from_account WHEN $1 THEN posting.amount ELSE -posting.amount END)::bigint AS amount
             FROM ledger.postings posting
             WHERE posting.subject = p.id AND $1 IN (posting.from_account, posting.to_account)) posted ON true
           WHERE coalesce(posted.amount, 0) <> CASE p.state WHEN 'completed' THEN p.amount ELSE 0 END
           LIMIT $2"#,
        super::accounts::RECEIPTS.uuid(),
        limit,
    )
    .fetch_all(conn)
    .await
}
