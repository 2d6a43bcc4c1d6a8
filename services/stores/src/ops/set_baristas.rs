//! Sets the number of baristas of a store, which determines how many drinks it can make at a time.

use jiff::tz::TimeZone;
use sqlx::PgConnection;

use super::schedule_change::{ScheduleError, lock_schedule, publish_schedule_change};
use crate::{
    Stores, db,
    domain::{
        capacity::{SLOT_SECONDS, slot_at},
        schedule::{BaristasDraft, Schedule},
        staffing::slots_of,
    },
};

/// Reserved capacity stays reserved. With fewer baristas, a slot may have more reserved than they can make: then it accepts
/// no more orders.
///
/// # Errors
/// [`ScheduleError::StoreUnknown`], [`ScheduleError::Rule`] if the draft is invalid.
pub(crate) async fn set_baristas(cx: &Stores, draft: BaristasDraft) -> Result<Schedule, ScheduleError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let schedule = lock_schedule(cx, &mut tx, draft.store_id).await?;
    draft.check(schedule.today)?;
    match draft.day {
        None => db::shifts::set_default(&mut tx, draft.store_id, draft.baristas).await?,
        Some(day) if draft.baristas == 0 => db::shifts::delete(&mut tx, draft.store_id, day).await?,
        Some(day) => db::shifts::upsert(&mut tx, draft.store_id, day, draft.baristas).await?,
    }
    let schedule = publish_schedule_change(cx, &mut tx, draft.store_id).await?;
    update_slots(cx, &mut tx, draft, &schedule).await?;
    tx.commit().await?;
    Ok(schedule)
}

/// Applies the new capacity to the slots from now on.
async fn update_slots(
    cx: &Stores,
    tx: &mut PgConnection,
    draft: BaristasDraft,
    schedule: &Schedule,
) -> Result<(), sqlx::Error> {
    let all_from_now = slot_at(cx.clock.now())..i64::MAX;
    let seconds = |baristas: u32| i64::from(baristas) * SLOT_SECONDS;
    if draft.day.is_none() {
        let capacity = seconds(schedule.default_baristas);
        db::shifts::set_slot_capacity(tx, draft.store_id, &all_from_now, capacity).await?;
    }
    // With a new default, the days with a shift keep theirs.
    let changed_days = schedule
        .shifts
        .iter()
        .map(|(day, baristas)| (*day, *baristas))
        .chain(
            draft
                .day
                .filter(|day| !schedule.shifts.contains_key(day))
                .map(|day| (day, schedule.default_baristas)),
        );
    for (day, baristas) in changed_days {
        if let Some(slots) = slots_from_now(day, &schedule.zone, all_from_now.start) {
            db::shifts::set_slot_capacity(tx, draft.store_id, &slots, seconds(baristas)).await?;
        }
    }
    Ok(())
}

fn slots_from_now(day: jiff::civil::Date, zone: &TimeZone, now: i64) -> Option<std::ops::Range<i64>> {
    slots_of(day, zone).map(|slots| slots.start.max(now)..slots.end)
}
