//! Days on which stores have special hours.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::StoreId;

use super::parse_day;
use crate::domain::{hours::InvalidOpening, opening_hours::SpecialDay};

/// Aggregated columns with an element for each opening, and one without minutes for a day without openings. They are null
/// for a store without special days.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) days: Option<Vec<String>>,
    pub(super) names: Option<Vec<String>>,
    pub(super) opens_minutes: Option<Vec<Option<i16>>>,
    pub(super) closes_minutes: Option<Vec<Option<i16>>>,
}

impl Columns {
    pub(super) fn into_special_days(self) -> Result<BTreeMap<Date, SpecialDay>, InvalidOpening> {
        let minutes = |column: Option<Vec<Option<i16>>>| column.into_iter().flatten();
        let rows = self
            .days
            .into_iter()
            .flatten()
            .zip(self.names.into_iter().flatten())
            .zip(minutes(self.opens_minutes).zip(minutes(self.closes_minutes)));
        let mut spans: BTreeMap<Date, (String, Vec<(u16, u16)>)> = BTreeMap::new();
        for ((day, name), minutes) in rows {
            let day = parse_day(&day).map_err(|_| InvalidOpening)?;
            let (_, spans) = spans.entry(day).or_insert_with(|| (name, Vec::new()));
            if let (Some(opens), Some(closes)) = minutes {
                let to_minute = |value: i16| u16::try_from(value).map_err(|_| InvalidOpening);
                spans.push((to_minute(opens)?, to_minute(closes)?));
            }
        }
        spans
            .into_iter()
            .map(|(day, (name, spans))| Ok((day, SpecialDay::new(day, name, &spans)?)))
            .collect()
    }
}

/// Adds or replaces a special day.
pub(crate) async fn upsert(
    tx: &mut PgConnection,
    store_id: StoreId,
    day: Date,
    special_day: &SpecialDay,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO store_special_days (store_id, day, name) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT store_special_days_pkey DO UPDATE SET name = excluded.name",
        store_id as StoreId,
        day.to_sqlx() as _,
        special_day.name,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "DELETE FROM store_special_openings WHERE store_id = $1 AND day = $2",
        store_id as StoreId,
        day.to_sqlx() as _,
    )
    .execute(&mut *tx)
    .await?;
    let to_column = |minute: u16| i16::try_from(minute).unwrap_or(i16::MAX);
    let (opens, closes): (Vec<i16>, Vec<i16>) = special_day
        .openings
        .iter()
        .map(|opening| {
            (
                to_column(opening.opens_minute()),
                to_column(opening.closes_minute()),
            )
        })
        .unzip();
    sqlx::query!(
        "INSERT INTO store_special_openings (store_id, day, opens_minute, closes_minute)
         SELECT $1, $2, opens, closes FROM unnest($3::smallint[], $4::smallint[]) AS opening (opens, closes)",
        store_id as StoreId,
        day.to_sqlx() as _,
        &opens,
        &closes,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Returns whether there was a special day.
pub(crate) async fn delete(tx: &mut PgConnection, store_id: StoreId, day: Date) -> Result<bool, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM store_special_days WHERE store_id = $1 AND day = $2",
        store_id as StoreId,
        day.to_sqlx() as _,
    )
    .execute(tx)
    .await?;
    Ok(deleted.rows_affected() == 1)
}

/// Deletes up to `limit` special days before `first_day`, except those that another replica is deleting. Returns the number of rows.
pub(crate) async fn prune(conn: &mut PgConnection, first_day: Date, limit: i64) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM store_special_days WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM store_special_days WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED))",
        first_day.to_sqlx() as _,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
