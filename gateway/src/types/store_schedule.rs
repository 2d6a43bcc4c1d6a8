//! When a store is open and how many baristas it has.

use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::convert_all;

/// The schedule of a store, as its staff set it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Schedule {
    /// IANA name of the store's time zone.
    pub(crate) time_zone: String,
    /// Today in that zone.
    #[schema(format = Date)]
    pub(crate) today: String,
    /// Monday first. Closed weekdays have an entry with equal minutes.
    pub(crate) week: Vec<DayHours>,
    /// From today on, by day.
    pub(crate) special_days: Vec<SpecialDay>,
    /// On a day without a shift.
    pub(crate) default_baristas: u32,
    /// From today on, by day.
    pub(crate) shifts: Vec<Shift>,
    /// Typical drinks that one barista makes in an hour.
    pub(crate) drinks_per_barista_hour: u32,
}

impl From<stores::Schedule> for Schedule {
    fn from(schedule: stores::Schedule) -> Self {
        Self {
            time_zone: schedule.time_zone,
            today: schedule.today,
            week: convert_all(schedule.week),
            special_days: convert_all(schedule.special_days),
            default_baristas: schedule.default_baristas,
            shifts: convert_all(schedule.shifts),
            drinks_per_barista_hour: schedule.drinks_per_barista_hour,
        }
    }
}

/// Opening hours of one weekday, in minutes after local midnight; closed if both are equal.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DayHours {
    /// 1 Monday to 7 Sunday.
    pub(crate) weekday: u32,
    pub(crate) opens_minute: u32,
    /// More than 1440 if the store closes after midnight.
    pub(crate) closes_minute: u32,
}

impl From<stores::DayHours> for DayHours {
    fn from(day: stores::DayHours) -> Self {
        Self {
            weekday: day.weekday,
            opens_minute: day.opens_minute,
            closes_minute: day.closes_minute,
        }
    }
}

impl From<DayHours> for stores::DayHours {
    fn from(day: DayHours) -> Self {
        Self {
            weekday: day.weekday,
            opens_minute: day.opens_minute,
            closes_minute: day.closes_minute,
        }
    }
}

/// A day with special hours.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SpecialDay {
    /// In the store's time zone.
    #[schema(format = Date)]
    pub(crate) day: String,
    /// May be empty.
    #[serde(default)]
    pub(crate) name: String,
    /// None if the store is closed all day.
    pub(crate) openings: Vec<OpeningSpan>,
}

impl From<stores::SpecialDay> for SpecialDay {
    fn from(day: stores::SpecialDay) -> Self {
        Self {
            day: day.day,
            name: day.name,
            openings: convert_all(day.openings),
        }
    }
}

impl From<SpecialDay> for stores::SpecialDay {
    fn from(day: SpecialDay) -> Self {
        Self {
            day: day.day,
            name: day.name,
            openings: convert_all(day.openings),
        }
    }
}

/// In minutes after local midnight.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpeningSpan {
    pub(crate) opens_minute: u32,
    /// More than 1440 if the store closes after midnight.
    pub(crate) closes_minute: u32,
}

impl From<stores::OpeningSpan> for OpeningSpan {
    fn from(span: stores::OpeningSpan) -> Self {
        Self {
            opens_minute: span.opens_minute,
            closes_minute: span.closes_minute,
        }
    }
}

impl From<OpeningSpan> for stores::OpeningSpan {
    fn from(span: OpeningSpan) -> Self {
        Self {
            opens_minute: span.opens_minute,
            closes_minute: span.closes_minute,
        }
    }
}

/// The baristas of one day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shift {
    #[schema(format = Date)]
    pub(crate) day: String,
    pub(crate) baristas: u32,
}

impl From<stores::Shift> for Shift {
    fn from(shift: stores::Shift) -> Self {
        Self {
            day: shift.day,
            baristas: shift.baristas,
        }
    }
}

/// Replaces the opening hours of the week.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetWeeklyHoursRequest {
    /// Each weekday has an entry; one with equal minutes is closed. Several entries of a weekday are separate spans.
    pub(crate) week: Vec<DayHours>,
}

/// Restores the regular hours of a day.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeleteSpecialDayRequest {
    #[schema(format = Date)]
    pub(crate) day: String,
}

/// Sets the number of baristas.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetBaristasRequest {
    /// 1 to 50; 0 with a day restores the default.
    pub(crate) baristas: u32,
    /// Only this day; the default if absent.
    #[schema(format = Date)]
    pub(crate) day: Option<String>,
}
