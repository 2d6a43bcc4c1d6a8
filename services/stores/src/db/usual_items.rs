//! Usual items of consumers.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::{PgConnection, types::Json};
use types::{ConsumerId, ItemId, SizeId, StoreId, UsualItemId};

use crate::domain::usual_item::{AddUsualItem, Customization, UsualChoice, UsualItem};

/// Locks the usual items of a consumer until the end of the transaction, so that concurrent requests cannot exceed the limit.
pub(crate) async fn lock(tx: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    let lock_name = format!("usual_items {consumer_id}");
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", lock_name)
        .fetch_one(tx)
        .await?;
    Ok(())
}

pub(crate) async fn is_removed(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM removed_consumers WHERE consumer_id = $1) AS "is_removed!""#,
        consumer_id as ConsumerId,
    )
    .fetch_one(conn)
    .await
}

/// Counts the usual items of a consumer, except one with this customization.
pub(crate) async fn count_others(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    customization: &Customization,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM usual_items WHERE consumer_id = $1 AND content_hash <> $2"#,
        consumer_id as ConsumerId,
        &customization.hash(),
    )
    .fetch_one(conn)
    .await
}

/// Saves a usual item and returns its id and name. If the consumer has saved it before, changes only the store, and the name
/// if the consumer chose one.
pub(crate) async fn upsert(
    tx: &mut PgConnection,
    add: &AddUsualItem,
    customization: &Customization,
    item_name: &str,
    now: Timestamp,
) -> Result<(UsualItemId, String), sqlx::Error> {
    let row = sqlx::query!(
        r#"INSERT INTO usual_items (usual_item_id, consumer_id, store_id, name, item_id, size_id, choices, note,
                                    content_hash, created_at)
           VALUES ($1, $2, $3, coalesce($4, $5), $6, $7, $8, $9, $10, $11)
           ON CONFLICT ON CONSTRAINT usual_items_content_unique
           DO UPDATE SET store_id = EXCLUDED.store_id, name = coalesce($4, usual_items.name)
           RETURNING usual_item_id AS "id: UsualItemId", name"#,
        UsualItemId::new(now) as UsualItemId,
        add.consumer_id as ConsumerId,
        add.store_id as StoreId,
        add.name.as_deref(),
        item_name,
        customization.item_id as ItemId,
        customization.size_id as SizeId,
        Json(&customization.choices) as _,
        customization.note,
        &customization.hash(),
        now.to_sqlx() as _,
    )
    .fetch_one(tx)
    .await?;
    Ok((row.id, row.name))
}

/// Lists the usual items of a consumer, newest first. `store_id` selects those on the menu of this store.
pub(crate) async fn list(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    store_id: Option<StoreId>,
) -> Result<Vec<UsualItem>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT usual_item_id AS "id: UsualItemId", store_id AS "store_id: StoreId", s.name AS store_name, u.name,
                  item_id AS "item_id: ItemId", size_id AS "size_id: SizeId", choices AS "choices: Json<Vec<UsualChoice>>",
                  note
           FROM usual_items u JOIN stores s USING (store_id)
           WHERE consumer_id = $1
             AND ($2::uuid IS NULL OR s.company_id = (SELECT company_id FROM stores WHERE store_id = $2))
           ORDER BY created_at DESC, usual_item_id DESC"#,
        consumer_id as ConsumerId,
        store_id as Option<StoreId>,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| UsualItem {
            id: row.id,
            store_id: row.store_id,
            store_name: row.store_name,
            name: row.name,
            customization: Customization {
                item_id: row.item_id,
                size_id: row.size_id,
                choices: row.choices.0,
                note: row.note,
            },
        })
        .collect())
}

/// Returns whether the consumer had the usual item.
pub(crate) async fn delete(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    id: UsualItemId,
) -> Result<bool, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM usual_items WHERE consumer_id = $1 AND usual_item_id = $2",
        consumer_id as ConsumerId,
        id as UsualItemId,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected() == 1)
}

/// Deletes all usual items of a consumer. The caller writes the tombstone that rejects new ones.
pub(crate) async fn delete_consumer(
    tx: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<(), sqlx::Error> {
    lock(tx, consumer_id).await?;
    sqlx::query!(
        "DELETE FROM usual_items WHERE consumer_id = $1",
        consumer_id as ConsumerId
    )
    .execute(tx)
    .await?;
    Ok(())
}
