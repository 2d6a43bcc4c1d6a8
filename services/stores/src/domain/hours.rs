//! The regular opening hours of a week, in local time.

pub(super) const MINUTES_PER_DAY: u16 = 1440;

/// One span of one weekday, in local minutes after midnight. It may end on the next day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    weekday: u8,
    opens_minute: u16,
    closes_minute: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a weekday from 1 to 7 and hours that end after they begin and within two days")]
pub struct InvalidOpening;

impl Opening {
    /// `weekday` is 1 for Monday to 7 for Sunday. `closes_minute` is above 1440 if the store closes after midnight.
    pub(crate) const fn new(
        weekday: u8,
        opens_minute: u16,
        closes_minute: u16,
    ) -> Result<Self, InvalidOpening> {
        if weekday >= 1
            && weekday <= 7
            && opens_minute < MINUTES_PER_DAY
            && closes_minute > opens_minute
            && closes_minute <= 2 * MINUTES_PER_DAY
        {
            Ok(Self {
                weekday,
                opens_minute,
                closes_minute,
            })
        } else {
            Err(InvalidOpening)
        }
    }

    /// Parses `06:30-20:00`. A closing time that is not after the opening time is on the next day; `24:00` is midnight.
    pub(crate) fn parse(weekday: u8, text: &str) -> Result<Self, InvalidOpening> {
        let (opens, closes) = text.trim().split_once('-').ok_or(InvalidOpening)?;
        let (opens, closes) = (parse_minute(opens)?, parse_minute(closes)?);
        Self::new(
            weekday,
            opens,
            if closes > opens {
                closes
            } else {
                closes + MINUTES_PER_DAY
            },
        )
    }

    #[must_use]
    pub(crate) const fn weekday(self) -> u8 {
        self.weekday
    }

    #[must_use]
    pub(crate) const fn opens_minute(self) -> u16 {
        self.opens_minute
    }

    #[must_use]
    pub(crate) const fn closes_minute(self) -> u16 {
        self.closes_minute
    }
}

fn parse_minute(text: &str) -> Result<u16, InvalidOpening> {
    let (hour, minute) = text.trim().split_once(':').ok_or(InvalidOpening)?;
    let (hour, minute): (u16, u16) = (
        hour.parse().map_err(|_| InvalidOpening)?,
        minute.parse().map_err(|_| InvalidOpening)?,
    );
    if hour > 24 || minute > 59 {
        Err(InvalidOpening)
    } else {
        Ok(hour * 60 + minute)
    }
}

/// Returns whether openings of the same weekday overlap. They are ordered.
pub(super) fn has_overlap(openings: &[Opening]) -> bool {
    openings
        .iter()
        .zip(openings.iter().skip(1))
        .any(|(first, second)| first.weekday == second.weekday && second.opens_minute < first.closes_minute)
}

/// The opening hours of a week.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WeeklyHours(Vec<Opening>);

impl WeeklyHours {
    /// Returns the hours if no two openings overlap.
    pub(crate) fn without_overlap(openings: Vec<Opening>) -> Result<Self, InvalidOpening> {
        let hours = Self::new(openings);
        if has_overlap(&hours.0) {
            Err(InvalidOpening)
        } else {
            Ok(hours)
        }
    }

    #[must_use]
    pub(crate) fn new(mut openings: Vec<Opening>) -> Self {
        openings.sort_unstable();
        Self(openings)
    }

    /// Parses one span, such as `05:00-21:00`, and applies it to every day.
    ///
    /// # Errors
    /// [`InvalidOpening`] if the text is not such a span.
    pub fn parse_daily(text: &str) -> Result<Self, InvalidOpening> {
        (1..=7)
            .map(|weekday| Opening::parse(weekday, text))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    #[cfg(test)]
    pub(crate) fn daily(opens_minute: u16, closes_minute: u16) -> Self {
        let openings: Result<_, _> = (1..=7)
            .map(|weekday| Opening::new(weekday, opens_minute, closes_minute))
            .collect();
        Self(openings.unwrap())
    }

    /// Returns the openings ordered by weekday and time.
    #[must_use]
    pub(crate) fn openings(&self) -> &[Opening] {
        &self.0
    }

    pub(crate) fn openings_of(&self, weekday: u8) -> &[Opening] {
        let start = self.0.partition_point(|opening| opening.weekday < weekday);
        let end = self.0.partition_point(|opening| opening.weekday <= weekday);
        self.0.get(start..end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_parsed() {
        assert_eq!(Opening::parse(1, "06:30-20:00"), Opening::new(1, 390, 1200));
        assert_eq!(Opening::parse(1, "18:00-02:00"), Opening::new(1, 1080, 1560));
        assert_eq!(Opening::parse(1, "00:00-24:00"), Opening::new(1, 0, 1440));
        for text in [
            "",
            "6-20",
            "25:00-26:00",
            "06:60-07:00",
            "24:00-25:00",
            "06:00",
            "a:b-c:d",
        ] {
            assert_eq!(Opening::parse(1, text), Err(InvalidOpening), "{text}");
        }
    }

    #[test]
    fn openings_of_a_weekday_do_not_overlap() {
        let hours = |spans: &[(u8, u16, u16)]| {
            let openings = spans
                .iter()
                .map(|&(day, opens, closes)| Opening::new(day, opens, closes));
            WeeklyHours::without_overlap(openings.collect::<Result<_, _>>().unwrap())
        };
        assert!(hours(&[(5, 840, 1080), (5, 420, 840), (6, 420, 840)]).is_ok());
        assert_eq!(hours(&[(5, 839, 1080), (5, 420, 840)]), Err(InvalidOpening));
    }

    #[test]
    fn openings_out_of_range_are_invalid() {
        for (weekday, opens, closes) in [(0, 0, 10), (8, 0, 10), (1, 10, 10), (1, 1440, 1500), (1, 0, 2881)] {
            assert_eq!(Opening::new(weekday, opens, closes), Err(InvalidOpening));
        }
    }
}
