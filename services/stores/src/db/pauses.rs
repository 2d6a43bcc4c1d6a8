//! Pauses of stores.

use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::StoreId;

use crate::domain::pause::{Pause, PauseReason};

/// Builds the pause of a store from its columns.
pub(super) fn from_columns(paused: bool, reason: &str, until: Option<jiff_sqlx::Timestamp>) -> Option<Pause> {
    paused.then(|| Pause {
        reason: PauseReason::from_code(reason).unwrap_or(PauseReason::Other),
        until: until.map(jiff_sqlx::Timestamp::to_jiff),
    })
}

/// Pauses or resumes a store. Returns its new version, or `None` if nothing changed or the store does not exist.
pub(crate) async fn set(
    tx: &mut PgConnection,
    store_id: StoreId,
    pause: Option<Pause>,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "UPDATE stores SET paused = $2, pause_reason = $3, paused_until = $4, version = version + 1
         WHERE store_id = $1 AND (paused, pause_reason, paused_until) IS DISTINCT FROM ($2, $3, $4)
         RETURNING version",
        store_id as StoreId,
        pause.is_some(),
        pause.map_or(PauseReason::Other, |pause| pause.reason).code(),
        pause.and_then(|pause| pause.until).map(ToSqlx::to_sqlx) as Option<jiff_sqlx::Timestamp>,
    )
    .fetch_optional(tx)
    .await
}

/// Resumes up to `limit` stores at the end of their pause. Returns them with their new versions. The database's clock decides, so that
/// a replica with a wrong one does not end the pauses of all.
pub(crate) async fn end_expired(
    tx: &mut PgConnection,
    limit: i64,
) -> Result<Vec<(StoreId, i64)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"UPDATE stores SET paused = false, pause_reason = 'other', paused_until = NULL, version = version + 1
           WHERE store_id IN (SELECT store_id FROM stores WHERE paused AND paused_until <= now()
                              ORDER BY paused_until LIMIT $1 FOR UPDATE SKIP LOCKED)
           RETURNING store_id AS "store_id: StoreId", version"#,
        limit,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.store_id, row.version)).collect())
}
