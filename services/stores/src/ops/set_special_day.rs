//! Sets special hours for one day, or closes the store on it.

use types::StoreId;

use super::schedule_change::{ScheduleError, lock_schedule, publish_schedule_change};
use crate::{
    Stores, db,
    domain::schedule::{Schedule, SpecialDayDraft},
};

/// Orders that are scheduled outside the new hours stay as they are. Ordering lists them for the staff.
///
/// # Errors
/// [`ScheduleError::StoreUnknown`], [`ScheduleError::Rule`] if the draft is invalid.
pub(crate) async fn set_special_day(
    cx: &Stores,
    store_id: StoreId,
    draft: SpecialDayDraft,
) -> Result<Schedule, ScheduleError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let schedule = lock_schedule(cx, &mut tx, store_id).await?;
    let special_day = draft.check(&schedule)?;
    db::special_days::upsert(&mut tx, store_id, draft.day, &special_day).await?;
    let schedule = publish_schedule_change(cx, &mut tx, store_id).await?;
    tx.commit().await?;
    Ok(schedule)
}
