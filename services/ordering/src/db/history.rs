//! The history of orders.

use std::collections::HashMap;

use jiff_sqlx::Timestamp as SqlTimestamp;
use sqlx::PgConnection;
use types::OrderId;
use uuid::Uuid;

use super::parse_column;
use crate::domain::order::StatusChange;

struct Row {
    status: String,
    at: SqlTimestamp,
    actor: String,
    ready_at: Option<SqlTimestamp>,
}

impl Row {
    fn parse(self) -> Result<StatusChange, sqlx::Error> {
        Ok(StatusChange {
            status: parse_column("status", &self.status)?,
            at: self.at.to_jiff(),
            actor: parse_column("actor", &self.actor)?,
            ready_at: self.ready_at.map(SqlTimestamp::to_jiff),
        })
    }
}

/// Returns the history of an order until a version, oldest first.
pub async fn find_until(
    conn: &mut PgConnection,
    order_id: OrderId,
    version: i64,
) -> Result<Vec<StatusChange>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT status, at AS "at: SqlTimestamp", actor, ready_at AS "ready_at: SqlTimestamp" FROM order_history
           WHERE order_id = $1 AND version <= $2 ORDER BY version"#,
        order_id.uuid(),
        version,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::parse).collect()
}

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
        let change = Row {
            status: row.status,
            at: row.at,
            actor: row.actor,
            ready_at: row.ready_at,
        };
        histories.entry(row.order_id).or_default().push(change.parse()?);
    }
    Ok(histories)
}
