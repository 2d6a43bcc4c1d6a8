//! Who changed an order to what, and when.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::OrderId;
use uuid::Uuid;

use crate::domain::order::{Actor, Status};

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

/// Adds a line.
///
/// # Errors
/// The database's.
pub async fn append(
    conn: &mut PgConnection,
    order: OrderId,
    version: i64,
    status: Status,
    at: Timestamp,
    by: Actor,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO order_history (order_id, version, status, at, by_whom) VALUES ($1, $2, $3, $4, $5)",
        order.uuid(),
        version,
        status.as_str(),
        at.to_sqlx() as _,
        by.as_str(),
    )
    .execute(conn)
    .await?;
    Ok(())
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
