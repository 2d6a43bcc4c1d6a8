//! Opening hours of stores.

use sqlx::PgConnection;
use types::StoreId;

use crate::domain::hours::{InvalidOpening, Opening, WeeklyHours};

/// Builds the hours of a week from aggregated columns, which are null for a store without hours.
pub(super) fn from_columns(
    weekdays: Option<Vec<i16>>,
    opens_minutes: Option<Vec<i16>>,
    closes_minutes: Option<Vec<i16>>,
) -> Result<WeeklyHours, InvalidOpening> {
    let to_minute = |value: i16| u16::try_from(value).map_err(|_| InvalidOpening);
    let rows = weekdays
        .into_iter()
        .flatten()
        .zip(opens_minutes.into_iter().flatten())
        .zip(closes_minutes.into_iter().flatten());
    let openings: Result<_, _> = rows
        .map(|((weekday, opens), closes)| {
            let weekday = u8::try_from(weekday).map_err(|_| InvalidOpening)?;
            Opening::new(weekday, to_minute(opens)?, to_minute(closes)?)
        })
        .collect();
    openings.map(WeeklyHours::new)
}

/// Replaces the opening hours of stores.
pub(crate) async fn replace(
    tx: &mut PgConnection,
    store_hours: &[(StoreId, &WeeklyHours)],
) -> Result<(), sqlx::Error> {
    let store_ids: Vec<StoreId> = store_hours.iter().map(|(store_id, _)| *store_id).collect();
    sqlx::query!(
        "DELETE FROM store_hours WHERE store_id = ANY($1)",
        &store_ids as &[StoreId]
    )
    .execute(&mut *tx)
    .await?;
    let to_column = |minute: u16| i16::try_from(minute).unwrap_or(i16::MAX);
    let (mut stores, mut weekdays, mut opens, mut closes) = (vec![], vec![], vec![], vec![]);
    for (store_id, hours) in store_hours {
        for opening in hours.openings() {
            stores.push(*store_id);
            weekdays.push(i16::from(opening.weekday()));
            opens.push(to_column(opening.opens_minute()));
            closes.push(to_column(opening.closes_minute()));
        }
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
