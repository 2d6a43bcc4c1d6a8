//! The history of orders.

use std::collections::HashMap;

use jiff_sqlx::Timestamp as SqlTimestamp;
use sqlx::PgConnection;
use types::OrderId;
use uuid::Uuid;

use super::parse_column;
use crate::domain::order::StatusChange;

/// Returns the histories of orders, each oldest first.
pub async fn find(
    conn: &mut PgConnection,
    order_ids: &[OrderId],
) -> Result<HashMap<OrderId, Vec<StatusChange>>, sqlx::Error> {
    let ids: Vec<Uuid> = order_ids.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query!(
        r#"SELECT order_id AS "order_id: OrderId", status, at AS "at: SqlTimestamp", actor,
             ready_at AS "ready_at: SqlTimestamp" FROM order_history
           WHERE order_id = ANY($1) ORDER BY order_id, version"#,
        &ids
    )
    .fetch_all(conn)
    .await?;
    let mut histories: HashMap<OrderId, Vec<StatusChange>> = HashMap::new();
    for row in rows {
        histories.entry(row.order_id).or_default().push(StatusChange {
            status: parse_column("status", &row.status)?,
            at: row.at.to_jiff(),
            actor: parse_column("actor", &row.actor)?,
            ready_at: row.ready_at.map(SqlTimestamp::to_jiff),
        });
    }
    Ok(histories)
}
