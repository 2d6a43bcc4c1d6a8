//! When stores are open.

use std::collections::HashMap;

use kit::Fault;
use sqlx::PgConnection;
use types::StoreId;

use crate::domain::hours::{Opening, Week};

/// The hours of these stores. One without any is left out.
///
/// # Errors
/// The database's; numbers that are no opening.
pub async fn of(conn: &mut PgConnection, stores: &[StoreId]) -> Result<HashMap<StoreId, Week>, Fault> {
    let rows = sqlx::query!(
        r#"SELECT store_id AS "store_id: StoreId", weekday, opens_minute, closes_minute
           FROM store_hours WHERE store_id = ANY($1)"#,
        stores as &[StoreId],
    )
    .fetch_all(conn)
    .await?;
    let mut openings: HashMap<StoreId, Vec<Opening>> = HashMap::with_capacity(stores.len());
    for row in rows {
        let number = |value: i16| u16::try_from(value).unwrap_or(u16::MAX);
        let weekday = u8::try_from(row.weekday).unwrap_or_default();
        let opening = Opening::new(weekday, number(row.opens_minute), number(row.closes_minute))
            .map_err(|error| Fault::broken(format!("{}: {error}", row.store_id)))?;
        openings.entry(row.store_id).or_default().push(opening);
    }
    Ok(openings
        .into_iter()
        .map(|(store, openings)| (store, Week::new(openings)))
        .collect())
}

/// Sets the hours of stores, each with its week, in place of those they had.
///
/// # Errors
/// The database's.
pub async fn replace(tx: &mut PgConnection, weeks: &[(StoreId, &Week)]) -> Result<(), sqlx::Error> {
    let ids: Vec<StoreId> = weeks.iter().map(|(store, _)| *store).collect();
    sqlx::query!(
        "DELETE FROM store_hours WHERE store_id = ANY($1)",
        &ids as &[StoreId]
    )
    .execute(&mut *tx)
    .await?;
    let minute = |minute: u16| i16::try_from(minute).unwrap_or(i16::MAX);
    let rows = weeks
        .iter()
        .flat_map(|(store, week)| week.openings().iter().map(move |opening| (*store, *opening)));
    let (mut stores, mut weekdays, mut opens, mut closes) = (vec![], vec![], vec![], vec![]);
    for (store, opening) in rows {
        stores.push(store);
        weekdays.push(i16::from(opening.weekday()));
        opens.push(minute(opening.opens()));
        closes.push(minute(opening.closes()));
    }
    sqlx::query!(
        "INSERT INTO store_hours (store_id, weekday, opens_minute, closes_minute)
         SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::smallint[], $4::smallint[])",
        &stores as &[StoreId],
        &weekdays,
        &opens,
        &closes,
    )
    .execute(tx)
    .await?;
    Ok(())
}
