//! How consumers rate the orders of a store.

use jiff::{Timestamp, civil::Date};
use types::StoreId;

use super::suggestions::utc_day;

/// An average of fewer ratings is not significant, and would reveal a consumer's rating to the store.
const MIN_RATINGS: i64 = 5;

/// The rating of one order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OrderRating {
    pub(crate) store_id: StoreId,
    /// 1 to 5.
    pub(crate) stars: u8,
    pub(crate) rated_at: Timestamp,
}

impl OrderRating {
    pub(crate) fn day(&self) -> Date {
        utc_day(self.rated_at)
    }
}

/// The ratings of the last 30 days, and the sum of their stars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StoreRating {
    pub(crate) ratings: i64,
    pub(crate) stars: i64,
}

impl StoreRating {
    /// Returns `None` if there are too few ratings to publish.
    pub(crate) fn published(self) -> Option<Self> {
        (self.ratings >= MIN_RATINGS).then_some(self)
    }

    /// Returns the average number of stars, times ten, rounded.
    pub(crate) const fn average_tenths(self) -> i64 {
        if self.ratings == 0 {
            return 0;
        }
        (self.stars * 10 + self.ratings / 2) / self.ratings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_average_is_published_from_5_ratings_and_rounded() {
        let rating = |ratings, stars| StoreRating { ratings, stars };
        assert_eq!(rating(4, 20).published(), None);
        assert_eq!(rating(5, 20).published(), Some(rating(5, 20)));
        for (ratings, stars, tenths) in [(5, 5, 10), (5, 25, 50), (6, 27, 45), (7, 31, 44), (8, 35, 44)] {
            assert_eq!(
                rating(ratings, stars).average_tenths(),
                tenths,
                "{stars} of {ratings}"
            );
        }
    }
}
