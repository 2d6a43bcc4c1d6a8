//! What a charge pays for.

use std::fmt;

use types::{OrderId, PurchaseId, RecoveryId};
use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    Order,
    TopUp,
    GiftCard,
    CompanyCard,
    /// Recovery of a debt.
    Debt,
}

/// Identifies a charge. A purpose and id have one charge, which makes authorizing idempotent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChargeSubject {
    Order(OrderId),
    TopUp(PurchaseId),
    GiftCard(PurchaseId),
    CompanyCard(PurchaseId),
    /// The attempt to recover a debt.
    Debt(RecoveryId),
}

impl Purpose {
    pub const ALL: [Self; 5] = [
        Self::Order,
        Self::TopUp,
        Self::GiftCard,
        Self::CompanyCard,
        Self::Debt,
    ];

    /// Returns the name in the database and at the provider.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::TopUp => "top_up",
            Self::GiftCard => "gift_card",
            Self::CompanyCard => "company_card",
            Self::Debt => "debt",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.as_str() == name)
    }
}

impl ChargeSubject {
    pub fn new(purpose: Purpose, id: Uuid) -> Self {
        match purpose {
            Purpose::Order => Self::Order(id.into()),
            Purpose::TopUp => Self::TopUp(id.into()),
            Purpose::GiftCard => Self::GiftCard(id.into()),
            Purpose::CompanyCard => Self::CompanyCard(id.into()),
            Purpose::Debt => Self::Debt(id.into()),
        }
    }

    pub const fn purpose(self) -> Purpose {
        match self {
            Self::Order(_) => Purpose::Order,
            Self::TopUp(_) => Purpose::TopUp,
            Self::GiftCard(_) => Purpose::GiftCard,
            Self::CompanyCard(_) => Purpose::CompanyCard,
            Self::Debt(_) => Purpose::Debt,
        }
    }

    /// Returns the order that the charge pays for, or `None` for stored value and debts.
    pub const fn order_id(self) -> Option<OrderId> {
        match self {
            Self::Order(id) => Some(id),
            Self::TopUp(_) | Self::GiftCard(_) | Self::CompanyCard(_) | Self::Debt(_) => None,
        }
    }

    pub const fn uuid(self) -> Uuid {
        match self {
            Self::Order(id) => id.uuid(),
            Self::TopUp(id) | Self::GiftCard(id) | Self::CompanyCard(id) => id.uuid(),
            Self::Debt(id) => id.uuid(),
        }
    }
}

impl fmt::Display for ChargeSubject {
    /// Formats the id.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order(id) => id.fmt(out),
            Self::TopUp(id) | Self::GiftCard(id) | Self::CompanyCard(id) => id.fmt(out),
            Self::Debt(id) => id.fmt(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_purpose_is_parsed_from_its_name_and_keeps_its_id() {
        let id = Uuid::from_u128(7);
        for purpose in Purpose::ALL {
            assert_eq!(Purpose::from_name(purpose.as_str()), Some(purpose));
            let subject = ChargeSubject::new(purpose, id);
            assert_eq!((subject.purpose(), subject.uuid()), (purpose, id));
            assert_eq!(subject.order_id().is_some(), purpose == Purpose::Order);
        }
        assert_eq!(Purpose::from_name("tip"), None);
    }
}
