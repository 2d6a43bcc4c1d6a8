//! The services with records of orders.

use std::fmt;

/// A service with records of orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    Ordering,
    Stores,
    Payments,
    GiftCards,
    Rewards,
}

impl Service {
    pub const ALL: [Self; 5] = [
        Self::Ordering,
        Self::Stores,
        Self::Payments,
        Self::GiftCards,
        Self::Rewards,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ordering => "ordering",
            Self::Stores => "stores",
            Self::Payments => "payments",
            Self::GiftCards => "gift-cards",
            Self::Rewards => "rewards",
        }
    }

    /// The statement that returns the records of an order.
    pub(crate) const fn statement(self) -> &'static str {
        match self {
            Self::Ordering => include_str!("sql/ordering.sql"),
            Self::Stores => include_str!("sql/stores.sql"),
            Self::Payments => include_str!("sql/payments.sql"),
            Self::GiftCards => include_str!("sql/gift-cards.sql"),
            Self::Rewards => include_str!("sql/rewards.sql"),
        }
    }
}

impl fmt::Display for Service {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
