//! The number of baristas of stores, by default and by day.

use std::{collections::BTreeMap, ops::Range};

use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::StoreId;

use super::parse_day;

/// Builds the shifts of a store from aggregated columns, which are null if there are none.
pub(super) fn from_columns(
    days: Option<Vec<String>>,
    baristas: Option<Vec<i32>>,
) -> Result<BTreeMap<Date, u32>, jiff::Error> {
    days.into_iter()
        .flatten()
        .zip(baristas.into_iter().flatten())
        .map(|(day, baristas)| Ok((parse_day(&day)?, u32::try_from(baristas).unwrap_or(1))))
        .collect()
}

/// # Errors
/// `RowNotFound` if the store does not exist.
pub(crate) async fn set_default(
    tx: &mut PgConnection,
    store_id: StoreId,
    baristas: u32,
) -> Result<(), sqlx::Error> {
    let updated = sqlx::query!(
        "UPDATE stores SET baristas = $2 WHERE store_id = $1",
        store_id as StoreId,
        i32::try_from(baristas).unwrap_or(i32::MAX),
    )
    .execute(tx)
    .await?;
    match updated.rows_affected() {
        0 => Err(sqlx::Error::RowNotFound),
        _ => Ok(()),
    }
}

pub(crate) async fn upsert(
    tx: &mut PgConnection,
    store_id: StoreId,
    day: Date,
    baristas: u32,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO store_shifts (store_id, day, baristas) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT store_shifts_pkey DO UPDATE SET baristas = excluded.baristas",
        store_id as StoreId,
        day.to_sqlx() as _,
        i32::try_from(baristas).unwrap_or(i32::MAX),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Restores the default of a day.
pub(crate) async fn delete(tx: &mut PgConnection, store_id: StoreId, day: Date) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM store_shifts WHERE store_id = $1 AND day = $2",
        store_id as StoreId,
        day.to_sqlx() as _,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Sets the capacity of slots that have reservations, but not below what is reserved. The constraint on overbooking then
/// applies to the new capacity.
pub(crate) async fn set_slot_capacity(
    tx: &mut PgConnection,
    store_id: StoreId,
    slots: &Range<i64>,
    capacity_seconds: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE capacity_slots SET capacity_seconds = greatest(used_seconds, $4)
         WHERE store_id = $1 AND slot >= $2 AND slot < $3",
        store_id as StoreId,
        slots.start,
        slots.end,
        i32::try_from(capacity_seconds).unwrap_or(i32::MAX),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes up to `limit` shifts before `first_day`, except those that another replica is deleting. Returns the number of rows.
pub(crate) async fn prune(conn: &mut PgConnection, first_day: Date, limit: i64) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM store_shifts WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM store_shifts WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED))",
        first_day.to_sqlx() as _,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
