//! Who changed an order to what, and when.

use jiff_sqlx::Timestamp as SqlTimestamp;
use sqlx::PgConnection;
use uuid::Uuid;

/// A line of the history.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Whose history.
    pub order_id: Uuid,
    /// What it became.
    pub status: String,
    /// When.
    pub at: SqlTimestamp,
    /// By whose hand.
    pub by_whom: String,
}

/// The histories of several orders, each oldest first.
///
/// # Errors
/// The database's.
pub async fn of(conn: &mut PgConnection, orders: &[Uuid]) -> Result<Vec<Entry>, sqlx::Error> {
    sqlx::query_as!(
        Entry,
        r#"SELECT order_id, status, at as "at: SqlTimestamp", by_whom FROM order_history
           WHERE order_id = ANY($1) ORDER BY order_id, version"#,
        orders
    )
    .fetch_all(conn)
    .await
}
