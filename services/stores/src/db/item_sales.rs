//! Counts of completed orders by item and day.

use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ItemId, StoreId};
use uuid::Uuid;

use crate::domain::{item_sales::ItemSales, suggestions::Counts};

/// Adds a completed order. Does nothing if the store does not exist.
pub(crate) async fn add(tx: &mut PgConnection, sales: &ItemSales) -> Result<(), sqlx::Error> {
    let (items, quantities): (Vec<Uuid>, Vec<i64>) = sales
        .quantities
        .iter()
        .map(|(item_id, quantity)| (item_id.uuid(), *quantity))
        .unzip();
    sqlx::query!(
        "INSERT INTO item_sales (store_id, item_id, day, quantity)
         SELECT store_id, item_id, $2, quantity
         FROM stores, unnest($3::uuid[], $4::bigint[]) WITH ORDINALITY AS sold (item_id, quantity, position)
         WHERE store_id = $1 ORDER BY position
         ON CONFLICT ON CONSTRAINT item_sales_pkey
         DO UPDATE SET quantity = item_sales.quantity + EXCLUDED.quantity",
        sales.store_id as StoreId,
        sales.day.to_sqlx() as _,
        &items,
        &quantities,
    )
    .execute(&mut *tx)
    .await?;
    let (items, others): (Vec<Uuid>, Vec<Uuid>) = sales
        .pairs()
        .map(|(item_id, other_id)| (item_id.uuid(), other_id.uuid()))
        .unzip();
    sqlx::query!(
        "INSERT INTO item_pair_sales (store_id, item_id, other_item_id, day, orders)
         SELECT store_id, item_id, other_item_id, $2, 1
         FROM stores, unnest($3::uuid[], $4::uuid[]) WITH ORDINALITY AS sold (item_id, other_item_id, position)
         WHERE store_id = $1 ORDER BY position
         ON CONFLICT ON CONSTRAINT item_pair_sales_pkey DO UPDATE SET orders = item_pair_sales.orders + 1",
        sales.store_id as StoreId,
        sales.day.to_sqlx() as _,
        &items,
        &others,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Returns the number of orders of each item at a store since a day.
pub(crate) async fn count(
    conn: &mut PgConnection,
    store_id: StoreId,
    first_day: Date,
) -> Result<Counts, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT item_id AS "item_id: ItemId", sum(quantity)::bigint AS "count!" FROM item_sales
           WHERE store_id = $1 AND day >= $2 GROUP BY item_id"#,
        store_id as StoreId,
        first_day.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.item_id, row.count)).collect())
}

/// Returns the number of orders in which each item was ordered together with one of `items`, at a store since a day.
pub(crate) async fn count_pairs(
    conn: &mut PgConnection,
    store_id: StoreId,
    items: &[ItemId],
    first_day: Date,
) -> Result<Counts, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT other_item_id AS "item_id: ItemId", sum(orders)::bigint AS "count!" FROM item_pair_sales
           WHERE store_id = $1 AND item_id = ANY($2) AND day >= $3 GROUP BY other_item_id"#,
        store_id as StoreId,
        items as &[ItemId],
        first_day.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.item_id, row.count)).collect())
}

/// Deletes up to `limit` counts of the days before `first_day`, except those that another replica is deleting. Returns the number of rows.
pub(crate) async fn prune(conn: &mut PgConnection, first_day: Date, limit: i64) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM item_sales WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM item_sales WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED))",
        first_day.to_sqlx() as _,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}

/// As [`prune`], for pairs of items.
pub(crate) async fn prune_pairs(
    conn: &mut PgConnection,
    first_day: Date,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM item_pair_sales WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM item_pair_sales WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED))",
        first_day.to_sqlx() as _,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
