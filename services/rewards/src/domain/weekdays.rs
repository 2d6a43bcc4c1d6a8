//! Sets of weekdays.

use std::fmt;

use jiff::civil::Weekday;

const DAYS: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

/// The weekdays on which a promo applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weekdays([bool; 7]);

impl Weekdays {
    pub const EVERY_DAY: Self = Self([true; 7]);

    #[must_use]
    pub fn contains(self, day: Weekday) -> bool {
        self.iter().any(|other| other == day)
    }

    #[must_use]
    pub fn is_every_day(self) -> bool {
        self == Self::EVERY_DAY
    }

    pub fn iter(self) -> impl Iterator<Item = Weekday> {
        DAYS.into_iter()
            .zip(self.0)
            .filter_map(|(day, is_included)| is_included.then_some(day))
    }

    /// Returns the days as numbers, 1 for Monday to 7 for Sunday. Empty for every day.
    #[must_use]
    pub fn to_numbers(self) -> Vec<i16> {
        if self.is_every_day() {
            return Vec::new();
        }
        self.iter().map(|day| day.to_monday_one_offset().into()).collect()
    }

    /// Reverts [`Self::to_numbers`]. Ignores other numbers.
    #[must_use]
    pub fn from_numbers(numbers: &[i16]) -> Self {
        numbers
            .iter()
            .filter_map(|&number| Weekday::from_monday_one_offset(i8::try_from(number).ok()?).ok())
            .collect()
    }
}

/// No days mean every day.
impl FromIterator<Weekday> for Weekdays {
    fn from_iter<I: IntoIterator<Item = Weekday>>(days: I) -> Self {
        let days: Vec<Weekday> = days.into_iter().collect();
        if days.is_empty() {
            return Self::EVERY_DAY;
        }
        Self(DAYS.map(|day| days.contains(&day)))
    }
}

impl fmt::Display for Weekdays {
    /// Writes the days as in a sentence: "Mondays and Fridays".
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.iter().map(|day| format!("{day:?}s")).collect();
        match names.as_slice() {
            [] => Ok(()),
            [only] => out.write_str(only),
            [first @ .., last] => write!(out, "{} and {last}", first.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_stored_as_numbers() {
        let days: Weekdays = [Weekday::Friday, Weekday::Monday, Weekday::Wednesday]
            .into_iter()
            .collect();
        assert_eq!(days.to_numbers(), [1, 3, 5]);
        assert_eq!(Weekdays::from_numbers(&[1, 3, 5]), days);
        assert_eq!(days.to_string(), "Mondays, Wednesdays and Fridays");
        assert_eq!(Weekdays::from_numbers(&[]), Weekdays::EVERY_DAY);
        assert_eq!(Weekdays::EVERY_DAY.to_numbers(), [0_i16; 0]);
    }
}
