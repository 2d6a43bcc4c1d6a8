//! When charges changed.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff_sqlx::Timestamp as SqlTimestamp;
use sqlx::PgConnection;
use types::ChargeId;
use uuid::Uuid;

/// Returns when these charges changed last.
pub async fn list(
    conn: &mut PgConnection,
    ids: &[ChargeId],
) -> Result<HashMap<ChargeId, Timestamp>, sqlx::Error> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query!(
        r#"SELECT id, updated_at AS "updated_at: SqlTimestamp" FROM charges WHERE id = ANY($1)"#,
        &ids,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.id, row.updated_at.to_jiff()))
        .collect())
}
