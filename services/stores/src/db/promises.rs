//! Counts of prepared orders by day, with those that were ready on time.

use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::StoreId;

use crate::domain::promise::{PromiseRecord, ReadyOrder};

/// Adds an order. Does nothing if the store does not exist.
pub(crate) async fn add(tx: &mut PgConnection, order: &ReadyOrder) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO promises (store_id, day, orders, kept)
         SELECT store_id, $2, 1, $3 FROM stores WHERE store_id = $1
         ON CONFLICT ON CONSTRAINT promises_pkey
         DO UPDATE SET orders = promises.orders + 1, kept = promises.kept + EXCLUDED.kept",
        order.store_id as StoreId,
        order.day().to_sqlx() as _,
        i64::from(order.is_on_time()),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Returns the counts of a store since a day.
pub(crate) async fn count(
    conn: &mut PgConnection,
    store_id: StoreId,
    first_day: Date,
) -> Result<PromiseRecord, sqlx::Error> {
    sqlx::query_as!(
        PromiseRecord,
        r#"SELECT coalesce(sum(orders), 0)::bigint AS "orders!", coalesce(sum(kept), 0)::bigint AS "kept!"
           FROM promises WHERE store_id = $1 AND day >= $2"#,
        store_id as StoreId,
        first_day.to_sqlx() as _,
    )
    .fetch_one(conn)
    .await
}

/// Deletes up to `limit` counts of the days before `first_day`, except those that another replica is deleting. Returns the number of rows.
pub(crate) async fn prune(conn: &mut PgConnection, first_day: Date, limit: i64) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM promises WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM promises WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED))",
        first_day.to_sqlx() as _,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
