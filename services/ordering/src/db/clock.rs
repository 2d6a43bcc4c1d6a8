//! The database's clock, which all replicas share.

use jiff::Timestamp;
use jiff_sqlx::Timestamp as SqlTimestamp;
use sqlx::PgConnection;

pub(crate) async fn now(conn: &mut PgConnection) -> Result<Timestamp, sqlx::Error> {
    let now = sqlx::query_scalar!(r#"SELECT now() AS "now!: SqlTimestamp""#)
        .fetch_one(conn)
        .await?;
    Ok(now.to_jiff())
}
