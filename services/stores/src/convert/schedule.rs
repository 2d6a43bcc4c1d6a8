//! Converts schedules, pauses and loads.

use std::collections::BTreeSet;

use jiff::{Timestamp, civil::Date};
use kit::{ErrorCode, ServiceError};
use proto::stores::v1 as pb;

use super::{
    request::{optional_timestamp_field, store_id},
    values::{optional_timestamp, time_zone},
};
use crate::domain::{
    capacity::DEFAULT_MAKE_SECONDS,
    hours::{Opening, WeeklyHours},
    load::LoadSlot,
    opening_hours::SpecialDay,
    pause::{Pause, PauseReason},
    schedule::{BaristasDraft, Schedule, ScheduleRule, SpecialDayDraft},
    store::Store,
};

const SECONDS_PER_HOUR: u32 = 3600;

pub(crate) fn schedule(schedule: &Schedule) -> pb::Schedule {
    let days = &schedule.hours.special_days;
    pb::Schedule {
        time_zone: time_zone(&schedule.zone),
        today: schedule.today.to_string(),
        week: week(&schedule.hours.weekly),
        special_days: days
            .iter()
            .map(|(day, special)| special_day(*day, special))
            .collect(),
        default_baristas: schedule.default_baristas,
        shifts: schedule
            .shifts
            .iter()
            .map(|(day, baristas)| pb::Shift {
                day: day.to_string(),
                baristas: *baristas,
            })
            .collect(),
        drinks_per_barista_hour: SECONDS_PER_HOUR / DEFAULT_MAKE_SECONDS,
    }
}

pub(super) fn special_day(day: Date, special_day: &SpecialDay) -> pb::SpecialDay {
    let spans = special_day.openings.iter().map(|opening| pb::OpeningSpan {
        opens_minute: u32::from(opening.opens_minute()),
        closes_minute: u32::from(opening.closes_minute()),
    });
    pb::SpecialDay {
        day: day.to_string(),
        name: special_day.name.clone(),
        openings: spans.collect(),
    }
}

/// Encodes one entry per opening. A closed weekday has one entry with equal minutes.
pub(super) fn week(hours: &WeeklyHours) -> Vec<pb::DayHours> {
    (1..=7_u8)
        .flat_map(|weekday| {
            let mut openings: Vec<_> = hours
                .openings_of(weekday)
                .iter()
                .map(|opening| {
                    (
                        u32::from(opening.opens_minute()),
                        u32::from(opening.closes_minute()),
                    )
                })
                .collect();
            if openings.is_empty() {
                openings.push((0, 0));
            }
            openings
                .into_iter()
                .map(move |(opens_minute, closes_minute)| pb::DayHours {
                    weekday: u32::from(weekday),
                    opens_minute,
                    closes_minute,
                })
        })
        .collect()
}

pub(super) fn pause(store: &Store, now_is_paused: bool) -> Option<pb::Pause> {
    let pause = store.pause.filter(|_| now_is_paused)?;
    let reason = match pause.reason {
        PauseReason::Busy => pb::PauseReason::Busy,
        PauseReason::Equipment => pb::PauseReason::Equipment,
        PauseReason::Staffing => pb::PauseReason::Staffing,
        PauseReason::Supplies => pb::PauseReason::Supplies,
        PauseReason::Other => pb::PauseReason::Other,
    };
    Some(pb::Pause {
        reason: reason.into(),
        until: optional_timestamp(pause.until),
        message: pause.message(&store.zone),
    })
}

/// Decodes the requested pause; `None` to resume.
pub(crate) fn requested_pause(request: &pb::PauseStoreRequest) -> Result<Option<Pause>, ServiceError> {
    if !request.paused {
        return Ok(None);
    }
    let reason = match request.reason() {
        pb::PauseReason::Busy => PauseReason::Busy,
        pb::PauseReason::Equipment => PauseReason::Equipment,
        pb::PauseReason::Staffing => PauseReason::Staffing,
        pb::PauseReason::Supplies => PauseReason::Supplies,
        pb::PauseReason::Other | pb::PauseReason::Unspecified => PauseReason::Other,
    };
    let until = optional_timestamp_field("until", &request.until)?;
    Ok(Some(Pause { reason, until }))
}

/// Decodes the openings of a week. Entries with equal minutes are closed weekdays.
///
/// # Errors
/// `WEEK_INCOMPLETE` unless each weekday has an entry, so that no weekday is closed by omission; `HOURS_INVALID`.
pub(crate) fn openings(week: &[pb::DayHours]) -> Result<Vec<Opening>, ServiceError> {
    let weekdays: BTreeSet<u32> = week.iter().map(|day| day.weekday).collect();
    if !weekdays.into_iter().eq(1..=7) {
        return Err(rule_violated(ScheduleRule::WeekIncomplete));
    }
    week.iter()
        .filter(|day| day.opens_minute != day.closes_minute)
        .map(|day| opening(day).ok_or_else(|| rule_violated(ScheduleRule::WeekInvalid)))
        .collect()
}

fn opening(day: &pb::DayHours) -> Option<Opening> {
    let weekday = u8::try_from(day.weekday).ok()?;
    let opens_minute = u16::try_from(day.opens_minute).ok()?;
    let closes_minute = u16::try_from(day.closes_minute).ok()?;
    Opening::new(weekday, opens_minute, closes_minute).ok()
}

pub(crate) fn special_day_draft(
    special_day: Option<pb::SpecialDay>,
) -> Result<SpecialDayDraft, ServiceError> {
    let special_day = special_day.unwrap_or_default();
    let spans: Result<_, ServiceError> = special_day
        .openings
        .iter()
        .map(|span| Ok((minute(span.opens_minute)?, minute(span.closes_minute)?)))
        .collect();
    Ok(SpecialDayDraft {
        day: day(&special_day.day)?,
        name: special_day.name,
        spans: spans?,
    })
}

pub(crate) fn baristas_draft(request: &pb::SetBaristasRequest) -> Result<BaristasDraft, ServiceError> {
    let is_default = request.day.is_empty();
    Ok(BaristasDraft {
        store_id: store_id(&request.store_id)?,
        baristas: request.baristas,
        day: (!is_default).then(|| day(&request.day)).transpose()?,
    })
}

pub(crate) fn day(text: &str) -> Result<Date, ServiceError> {
    text.parse().map_err(|_| {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "DAY_MALFORMED",
            "Expected a day like 2026-11-26.",
        )
        .with_field("day")
    })
}

/// Decodes times and leaves out none: an invalid one is an error.
pub(crate) fn times(texts: &[String]) -> Result<Vec<Timestamp>, ServiceError> {
    let times: Result<Vec<Option<Timestamp>>, ServiceError> = texts
        .iter()
        .map(|text| optional_timestamp_field("times", text))
        .collect();
    Ok(times?.into_iter().flatten().collect())
}

fn minute(minute: u32) -> Result<u16, ServiceError> {
    u16::try_from(minute).map_err(|_| rule_violated(ScheduleRule::HoursInvalid))
}

fn rule_violated(rule: ScheduleRule) -> ServiceError {
    let (reason, field) = rule.reason();
    ServiceError::new(ErrorCode::RuleViolation, reason, rule.to_string()).with_field(field)
}

pub(crate) fn load(slots: &[LoadSlot]) -> pb::Load {
    let seconds = |seconds: i64| u32::try_from(seconds).unwrap_or_default();
    let slots = slots.iter().map(|slot| pb::LoadSlot {
        start_at: slot.start_at.to_string(),
        reserved_seconds: seconds(slot.reserved_seconds),
        capacity_seconds: seconds(slot.capacity_seconds),
    });
    pb::Load {
        slots: slots.collect(),
    }
}
