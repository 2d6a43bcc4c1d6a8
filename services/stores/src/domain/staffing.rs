//! The baristas of a store by day.

use std::{collections::BTreeMap, ops::Range};

use jiff::{civil::Date, tz::TimeZone};

use super::slot::{SLOT_SECONDS, slot_at};

/// The maximum number of baristas at a store.
pub(crate) const MAX_BARISTAS: u32 = 50;

/// The number of baristas in each capacity slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staffing {
    default_baristas: u32,
    /// Baristas by local day.
    shifts: BTreeMap<Date, u32>,
    /// The slots of each day with a shift, which are fewer or more than 288 if the clocks change.
    shift_slots: Vec<(Range<i64>, u32)>,
}

impl Staffing {
    #[must_use]
    pub(crate) fn new(default_baristas: u32, shifts: BTreeMap<Date, u32>, zone: &TimeZone) -> Self {
        let shift_slots = shifts
            .iter()
            .filter_map(|(&day, &baristas)| Some((slots_of(day, zone)?, baristas)))
            .collect();
        Self {
            default_baristas,
            shifts,
            shift_slots,
        }
    }

    /// Returns the same number of baristas on all days.
    #[cfg(test)]
    pub(crate) fn constant(baristas: u32) -> Self {
        Self::new(baristas, BTreeMap::new(), &TimeZone::UTC)
    }

    #[must_use]
    pub(crate) const fn default_baristas(&self) -> u32 {
        self.default_baristas
    }

    #[must_use]
    pub(crate) const fn shifts(&self) -> &BTreeMap<Date, u32> {
        &self.shifts
    }

    /// Returns the number of baristas in a slot, at least one.
    #[must_use]
    pub(crate) fn baristas_in(&self, slot: i64) -> u32 {
        self.shift_slots
            .iter()
            .find(|(slots, _)| slots.contains(&slot))
            .map_or(self.default_baristas, |(_, baristas)| *baristas)
            .max(1)
    }

    /// Returns the make time that all baristas together have in a slot.
    #[must_use]
    pub fn capacity_seconds(&self, slot: i64) -> i64 {
        i64::from(self.baristas_in(slot)) * SLOT_SECONDS
    }
}

/// Returns the slots of a local day. Midnight is a multiple of five minutes in all time zones.
pub(crate) fn slots_of(day: Date, zone: &TimeZone) -> Option<Range<i64>> {
    let start = day.to_zoned(zone.clone()).ok()?.timestamp();
    let end = day.tomorrow().ok()?.to_zoned(zone.clone()).ok()?.timestamp();
    Some(slot_at(start)..slot_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    #[test]
    fn a_shift_replaces_the_default_on_its_local_day() {
        let zone = TimeZone::get("America/Los_Angeles").unwrap();
        let staffing = Staffing::new(2, BTreeMap::from([(day("2026-11-20"), 5)]), &zone);
        for (at, baristas) in [
            ("2026-11-20T07:59:59Z", 2),
            ("2026-11-20T08:00:00Z", 5),
            ("2026-11-21T07:55:00Z", 5),
            ("2026-11-21T08:00:00Z", 2),
        ] {
            assert_eq!(
                staffing.baristas_in(slot_at(at.parse().unwrap())),
                baristas,
                "{at}"
            );
        }
    }

    #[test]
    fn a_day_has_fewer_or_more_slots_when_the_clocks_change() {
        let zone = TimeZone::get("America/Chicago").unwrap();
        for (date, hours) in [("2026-03-08", 23), ("2026-11-01", 25), ("2026-11-02", 24)] {
            let slots = slots_of(day(date), &zone).unwrap();
            assert_eq!(slots.end - slots.start, hours * 12, "{date}");
        }
    }
}
