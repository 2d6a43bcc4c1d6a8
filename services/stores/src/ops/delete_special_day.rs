//! Restores the regular hours of a day.

use jiff::civil::Date;
use types::StoreId;

use super::schedule_change::{ScheduleError, lock_schedule, publish_schedule_change};
use crate::{Stores, db, domain::schedule::Schedule};

/// Does nothing if the day has its regular hours.
///
/// # Errors
/// [`ScheduleError::StoreUnknown`].
pub(crate) async fn delete_special_day(
    cx: &Stores,
    store_id: StoreId,
    day: Date,
) -> Result<Schedule, ScheduleError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let schedule = lock_schedule(cx, &mut tx, store_id).await?;
    if !db::special_days::delete(&mut tx, store_id, day).await? {
        return Ok(schedule);
    }
    let schedule = publish_schedule_change(cx, &mut tx, store_id).await?;
    tx.commit().await?;
    Ok(schedule)
}
