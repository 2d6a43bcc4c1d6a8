//! Pagination.

use crate::limits::MAX_PAGE_ITEMS;

/// A page of a list, with at most [`MAX_PAGE_ITEMS`] items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    take: u32,
    skip: u32,
}

impl Page {
    /// Creates the page of `take` items after the first `skip`. If `take` is 0, `default_take` applies.
    #[must_use]
    pub fn new(take: u32, skip: u32, default_take: u32) -> Self {
        let take = if take == 0 { default_take } else { take };
        Self {
            take: take.min(MAX_PAGE_ITEMS),
            skip,
        }
    }

    /// Returns the value for SQL's `LIMIT`.
    #[must_use]
    pub fn limit(self) -> i64 {
        i64::from(self.take)
    }

    /// Returns the value for SQL's `OFFSET`.
    #[must_use]
    pub fn offset(self) -> i64 {
        i64::from(self.skip)
    }
}
