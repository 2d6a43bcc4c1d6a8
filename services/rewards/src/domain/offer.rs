//! Offers.

use jiff::{
    Timestamp,
    civil::{Date, Weekday},
};

use super::{challenge::Challenge, weekdays::Weekdays};

/// The day for which offers are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfferDay {
    pub date: Date,
    /// The current time, or noon of another day that was requested.
    pub at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub id: String,
    pub title: String,
    pub body: String,
    /// May be empty.
    pub terms: String,
    /// `None` for an offer that always applies.
    pub promo: Option<OfferPromo>,
}

/// The promo code of an offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferPromo {
    pub code: String,
    pub weekdays: Weekdays,
    pub is_app_only: bool,
    pub starts_at: Timestamp,
    /// Exclusive.
    pub ends_at: Option<Timestamp>,
    /// Whether its number of claims is reached.
    pub is_used_up: bool,
    /// Whether the consumer has used it as often as it allows.
    pub is_used: bool,
}

/// The offers and challenges of a day.
#[derive(Debug, Clone)]
pub struct OfferList {
    pub day: OfferDay,
    /// Offers of the day first.
    pub offers: Vec<Offer>,
    pub challenges: Vec<Challenge>,
}

impl OfferDay {
    pub(crate) fn weekday(self) -> Weekday {
        self.date.weekday()
    }
}

impl OfferList {
    /// Returns whether the day has an offer of its own.
    #[must_use]
    pub fn is_bonus_day(&self) -> bool {
        self.offers.iter().any(Offer::is_for_some_days)
    }
}

impl Offer {
    /// Returns whether the offer applies on some weekdays only.
    #[must_use]
    pub fn is_for_some_days(&self) -> bool {
        self.promo
            .as_ref()
            .is_some_and(|promo| !promo.weekdays.is_every_day())
    }

    #[must_use]
    pub fn is_active(&self, day: OfferDay) -> bool {
        self.promo.as_ref().is_none_or(|promo| {
            promo.weekdays.contains(day.weekday())
                && promo.starts_at <= day.at
                && promo.ends_at.is_none_or(|end| day.at < end)
                && !promo.is_used_up
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(days: &[Weekday]) -> Offer {
        Offer {
            id: "offer".into(),
            title: "Title".into(),
            body: "Body".into(),
            terms: String::new(),
            promo: Some(OfferPromo {
                code: "CODE".into(),
                weekdays: days.iter().copied().collect(),
                is_app_only: false,
                starts_at: Timestamp::constant(1_000, 0),
                ends_at: Some(Timestamp::constant(2_000, 0)),
                is_used_up: false,
                is_used: false,
            }),
        }
    }

    #[test]
    fn an_offer_is_active_on_its_days_in_its_window() {
        // 1970-01-01 was a Thursday.
        let day = |seconds| OfferDay {
            date: jiff::civil::date(1970, 1, 1),
            at: Timestamp::constant(seconds, 0),
        };
        assert!(offer(&[Weekday::Thursday]).is_active(day(1_000)));
        assert!(!offer(&[Weekday::Friday]).is_active(day(1_000)));
        assert!(offer(&[]).is_active(day(1_999)));
        assert!(!offer(&[]).is_active(day(999)) && !offer(&[]).is_active(day(2_000)));
    }
}
