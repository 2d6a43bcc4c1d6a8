//! Offers to buy value for less than its amount.

use jiff::Timestamp;
use types::{CompanyId, DealId, Money};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deal {
    pub id: DealId,
    pub title: String,
    pub description: String,
    /// Charged.
    pub price: Money,
    /// Value of the card.
    pub value: Money,
    /// Only stores of this company accept the value; `None` for all stores.
    pub company: Option<(CompanyId, String)>,
    pub ends_at: Option<Timestamp>,
    /// Remaining uses for the consumer.
    pub uses_left: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDeal {
    pub id: DealId,
    pub title: String,
    pub description: String,
    /// Charged.
    pub price: Money,
    /// Value of the card.
    pub value: Money,
    /// Only stores of this company accept the value; `None` for all stores.
    pub company: Option<(CompanyId, String)>,
    /// `None` to start with the import.
    pub starts_at: Option<Timestamp>,
    pub ends_at: Option<Timestamp>,
    pub max_per_consumer: i32,
}

/// What a purchase costs and what it is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// Charged.
    pub amount: Money,
    /// Added to the balance.
    pub value: Money,
    pub deal_id: Option<DealId>,
}

impl Terms {
    #[must_use]
    pub const fn without_deal(amount: Money) -> Self {
        Self {
            amount,
            value: amount,
            deal_id: None,
        }
    }
}

impl Deal {
    #[must_use]
    pub const fn terms(&self) -> Terms {
        Terms {
            amount: self.price,
            value: self.value,
            deal_id: Some(self.id),
        }
    }
}
