//! Replaces the opening hours of a store's week.

use types::StoreId;

use super::schedule_change::{ScheduleError, lock_schedule, publish_schedule_change};
use crate::{
    Stores, db,
    domain::{
        hours::{Opening, WeeklyHours},
        schedule::{Schedule, ScheduleRule},
    },
};

/// Orders that are scheduled outside the new hours stay as they are. Ordering lists them for the staff.
///
/// # Errors
/// [`ScheduleError::StoreUnknown`], [`ScheduleRule::WeekInvalid`] if openings of a weekday overlap.
pub(crate) async fn set_weekly_hours(
    cx: &Stores,
    store_id: StoreId,
    openings: Vec<Opening>,
) -> Result<Schedule, ScheduleError> {
    let hours = WeeklyHours::without_overlap(openings).map_err(|_| ScheduleRule::WeekInvalid)?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    lock_schedule(cx, &mut tx, store_id).await?;
    db::hours::replace(&mut tx, &[(store_id, &hours)]).await?;
    let schedule = publish_schedule_change(cx, &mut tx, store_id).await?;
    tx.commit().await?;
    Ok(schedule)
}
