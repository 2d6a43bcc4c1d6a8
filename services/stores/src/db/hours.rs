//! When stores are open.

use sqlx::PgConnection;
use types::StoreId;

use crate::domain::hours::{BadOpening, Opening, Week};

/// The week that rows make, given by their columns; nothing is a store that never opens.
///
/// # Errors
/// [`BadOpening`].
pub fn week(
    weekdays: Option<Vec<i16>>,
    opens: Option<Vec<i16>>,
    closes: Option<Vec<i16>>,
) -> Result<Week, BadOpening> {
    let minute = |value: i16| u16::try_from(value).unwrap_or(u16::MAX);
    let rows = weekdays
        .into_iter()
        .flatten()
        .zip(opens.into_iter().flatten())
        .zip(closes.into_iter().flatten());
    let openings: Result<_, _> = rows
        .map(|((weekday, opens), closes)| {
            Opening::new(
                u8::try_from(weekday).unwrap_or_default(),
                minute(opens),
                minute(closes),
            )
        })
        .collect();
    openings.map(Week::new)
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
