//! When a store is open and how many baristas it has, as its staff set them.

use std::collections::BTreeMap;

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use types::{StoreId, limits::MAX_SPECIAL_DAY_NAME_CHARS, text::sanitize_text_within};

use super::{
    hours::InvalidOpening,
    opening_hours::{OpeningHours, SpecialDay},
    staffing::MAX_BARISTAS,
    store::Store,
};

/// Special days and shifts can be set for so many days from today.
const MAX_DAYS_AHEAD: i64 = 366;
/// Special days of a store from today on.
pub(crate) const MAX_SPECIAL_DAYS: usize = 60;

/// The schedule from today on.
#[derive(Debug, Clone)]
pub(crate) struct Schedule {
    pub(crate) zone: TimeZone,
    pub(crate) today: Date,
    pub(crate) hours: OpeningHours,
    pub(crate) default_baristas: u32,
    pub(crate) shifts: BTreeMap<Date, u32>,
}

impl Schedule {
    pub(crate) fn of(store: Store, now: Timestamp) -> Self {
        let today = store.zone.to_datetime(now).date();
        let mut hours = store.hours;
        hours.special_days = hours.special_days.split_off(&today);
        Self {
            today,
            hours,
            default_baristas: store.staffing.default_baristas(),
            shifts: store.staffing.shifts().clone().split_off(&today),
            zone: store.zone,
        }
    }
}

/// Why a change of the schedule is invalid. The texts are for the staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ScheduleRule {
    #[error("Opening hours must end after they begin and must not overlap.")]
    HoursInvalid,
    /// The hours of a weekday are invalid.
    #[error("Opening hours must end after they begin and must not overlap.")]
    WeekInvalid,
    #[error("Send each day of the week from 1 to 7. A closed day opens and closes at the same minute.")]
    WeekIncomplete,
    #[error("Choose a day from today on, up to a year ahead.")]
    DayInvalid,
    #[error("The name can have up to {MAX_SPECIAL_DAY_NAME_CHARS} characters.")]
    NameTooLong,
    #[error("A store can have up to {MAX_SPECIAL_DAYS} special days.")]
    TooManyDays,
    #[error("Set 1 to {MAX_BARISTAS} baristas.")]
    BaristasInvalid,
}

impl ScheduleRule {
    /// Returns the stable reason code and the field.
    pub(crate) const fn reason(self) -> (&'static str, &'static str) {
        match self {
            Self::HoursInvalid => ("HOURS_INVALID", "openings"),
            Self::WeekInvalid => ("HOURS_INVALID", "week"),
            Self::WeekIncomplete => ("WEEK_INCOMPLETE", "week"),
            Self::DayInvalid => ("DAY_INVALID", "day"),
            Self::NameTooLong => ("NAME_TOO_LONG", "name"),
            Self::TooManyDays => ("TOO_MANY_SPECIAL_DAYS", "day"),
            Self::BaristasInvalid => ("BARISTAS_INVALID", "baristas"),
        }
    }
}

impl From<InvalidOpening> for ScheduleRule {
    fn from(_: InvalidOpening) -> Self {
        Self::HoursInvalid
    }
}

/// A special day as the staff sent it.
#[derive(Debug, Clone)]
pub(crate) struct SpecialDayDraft {
    pub(crate) day: Date,
    pub(crate) name: String,
    /// Local minutes after midnight: opening and closing. None if the store is closed.
    pub(crate) spans: Vec<(u16, u16)>,
}

impl SpecialDayDraft {
    /// # Errors
    /// [`ScheduleRule`] that the draft violates.
    pub(crate) fn check(&self, schedule: &Schedule) -> Result<SpecialDay, ScheduleRule> {
        let name =
            sanitize_text_within(&self.name, MAX_SPECIAL_DAY_NAME_CHARS).ok_or(ScheduleRule::NameTooLong)?;
        let special_days = &schedule.hours.special_days;
        check_day(self.day, schedule.today)?;
        if special_days.len() >= MAX_SPECIAL_DAYS && !special_days.contains_key(&self.day) {
            return Err(ScheduleRule::TooManyDays);
        }
        Ok(SpecialDay::new(self.day, name, &self.spans)?)
    }
}

/// A number of baristas as the staff sent it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BaristasDraft {
    pub(crate) store_id: StoreId,
    /// 0 restores the default of a day.
    pub(crate) baristas: u32,
    /// The default if absent.
    pub(crate) day: Option<Date>,
}

impl BaristasDraft {
    /// # Errors
    /// [`ScheduleRule`] that the draft violates.
    pub(crate) fn check(self, today: Date) -> Result<(), ScheduleRule> {
        let min = u32::from(self.day.is_none());
        if !(min..=MAX_BARISTAS).contains(&self.baristas) {
            return Err(ScheduleRule::BaristasInvalid);
        }
        self.day.map_or(Ok(()), |day| check_day(day, today))
    }
}

fn check_day(day: Date, today: Date) -> Result<(), ScheduleRule> {
    let days_ahead = day.duration_since(today).as_hours() / 24;
    if (0..=MAX_DAYS_AHEAD).contains(&days_ahead) && day >= today {
        Ok(())
    } else {
        Err(ScheduleRule::DayInvalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn schedule() -> Schedule {
        Schedule {
            zone: TimeZone::UTC,
            today: day("2026-11-20"),
            hours: OpeningHours::default(),
            default_baristas: 2,
            shifts: BTreeMap::new(),
        }
    }

    fn draft(date: &str) -> SpecialDayDraft {
        SpecialDayDraft {
            day: day(date),
            name: "  Christmas \n \u{202e}Eve ".into(),
            spans: vec![(480, 720)],
        }
    }

    #[test]
    fn a_special_day_is_from_today_on_within_a_year() {
        for (date, is_valid) in [
            ("2026-11-19", false),
            ("2026-11-20", true),
            ("2027-11-21", true),
            ("2027-11-22", false),
        ] {
            assert_eq!(draft(date).check(&schedule()).is_ok(), is_valid, "{date}");
        }
        assert_eq!(
            draft("2026-12-24").check(&schedule()).unwrap().name,
            "Christmas Eve"
        );
    }

    #[test]
    fn a_special_day_has_limits() {
        let check = |change: fn(&mut SpecialDayDraft)| {
            let mut draft = draft("2026-12-24");
            change(&mut draft);
            draft.check(&schedule()).unwrap_err()
        };
        assert_eq!(
            check(|draft| draft.name = "x".repeat(61)),
            ScheduleRule::NameTooLong
        );
        assert_eq!(
            check(|draft| draft.spans = vec![(720, 480)]),
            ScheduleRule::HoursInvalid
        );
        let mut full = schedule();
        for offset in 0..60 {
            let date = full.today + jiff::Span::new().days(offset);
            full.hours
                .special_days
                .insert(date, SpecialDay::new(date, String::new(), &[]).unwrap());
        }
        assert_eq!(draft("2027-05-01").check(&full), Err(ScheduleRule::TooManyDays));
        assert!(draft("2026-12-24").check(&full).is_ok(), "replaces a day");
    }

    #[test]
    fn a_day_can_return_to_the_default_number_of_baristas() {
        let check = |baristas, date: Option<&str>| {
            let draft = BaristasDraft {
                store_id: StoreId::new(Timestamp::UNIX_EPOCH),
                baristas,
                day: date.map(day),
            };
            draft.check(day("2026-11-20")).is_ok()
        };
        assert!(check(1, None) && check(50, None) && !check(0, None) && !check(51, None));
        assert!(
            check(0, Some("2026-11-20")) && !check(51, Some("2026-11-20")) && !check(1, Some("2026-11-19"))
        );
    }
}
