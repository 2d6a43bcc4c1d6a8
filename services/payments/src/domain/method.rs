//! Payment methods: references to the provider's objects, with what a person needs to tell them apart.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use types::{ConsumerId, PaymentMethodId};

/// What kind of method it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodKind {
    /// Authorised first, captured later.
    Card,
    /// A US bank account: debited at once, settles or comes back days later.
    Bank,
}

impl MethodKind {
    /// As it stands in contract and database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Bank => "bank",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Card, Self::Bank]
            .into_iter()
            .find(|kind| kind.as_str() == name)
    }
}

/// The last month in which a card is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expiry {
    /// 1 to 12.
    pub month: i16,
    /// Four digits.
    pub year: i16,
}

impl Expiry {
    /// Whether that month is over.
    #[must_use]
    pub fn is_past(self, now: Timestamp) -> bool {
        let today = now.to_zoned(TimeZone::UTC).date();
        (self.year, self.month) < (today.year(), i16::from(today.month()))
    }
}

impl std::fmt::Display for Expiry {
    /// MM/YY, as it stands on a card.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:02}/{:02}", self.month, self.year.rem_euclid(100))
    }
}

/// A method as the provider describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// The provider's id.
    pub provider_id: String,
    /// Card or bank.
    pub kind: MethodKind,
    /// Brand or bank.
    pub institution_name: String,
    /// The last four digits.
    pub last4: String,
    /// Cards only.
    pub expiry: Option<Expiry>,
    /// Credit, debit, checking, savings …
    pub account_type: String,
}

/// A consumer's method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Our id.
    pub id: PaymentMethodId,
    /// Whose it is.
    pub consumer: ConsumerId,
    /// What the provider says about it.
    pub description: Description,
    /// Whether it is the consumer's default.
    pub is_default: bool,
    /// Grows with every change.
    pub version: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_good_to_the_end_of_its_month() {
        let expiry = Expiry { month: 2, year: 2027 };
        assert!(!expiry.is_past("2027-02-28T23:59:59Z".parse().unwrap()));
        assert!(expiry.is_past("2027-03-01T00:00:00Z".parse().unwrap()));
        assert_eq!(expiry.to_string(), "02/27");
    }
}
