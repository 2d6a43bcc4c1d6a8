//! Pages of a list.

/// Which part of a list is wanted. Never more than [`Page::MOST`] at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    take: u32,
    skip: u32,
}

impl Page {
    /// The most that one page holds.
    pub const MOST: u32 = 100;

    /// `take` entries after `skip`; `usual` where `take` is 0.
    #[must_use]
    pub fn new(take: u32, skip: u32, usual: u32) -> Self {
        let take = if take == 0 { usual } else { take };
        Self {
            take: take.min(Self::MOST),
            skip,
        }
    }

    /// How many, as SQL's limit.
    #[must_use]
    pub fn limit(self) -> i64 {
        i64::from(self.take)
    }

    /// After how many, as SQL's offset.
    #[must_use]
    pub fn offset(self) -> i64 {
        i64::from(self.skip)
    }
}
