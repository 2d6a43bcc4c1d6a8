//! Payment methods: references to objects of the provider, with the details that a consumer recognizes them by.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use secrecy::SecretString;
use types::{ConsumerId, PaymentMethodId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodKind {
    /// Authorized first and captured later.
    Card,
    /// A US bank account: debited at once; the debit settles or is returned days later.
    Bank,
    /// A card in a wallet, for one payment. Never saved.
    Wallet(WalletKind),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WalletKind {
    ApplePay,
    GooglePay,
}

impl MethodKind {
    /// Returns the name in the contract and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Bank => "bank",
            Self::Wallet(wallet) => wallet.as_str(),
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::Card,
            Self::Bank,
            Self::Wallet(WalletKind::ApplePay),
            Self::Wallet(WalletKind::GooglePay),
        ]
        .into_iter()
        .find(|kind| kind.as_str() == name)
    }
}

impl WalletKind {
    /// Returns the name in the database and at the provider.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ApplePay => "apple_pay",
            Self::GooglePay => "google_pay",
        }
    }
}

/// The last month in which a card is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expiry {
    /// 1 to 12.
    pub month: i16,
    /// Four digits.
    pub year: i16,
}

impl Expiry {
    pub fn is_past(self, now: Timestamp) -> bool {
        let today = now.to_zoned(TimeZone::UTC).date();
        (self.year, self.month) < (today.year(), i16::from(today.month()))
    }
}

impl std::fmt::Display for Expiry {
    /// Formats the date as it is printed on a card: MM/YY.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:02}/{:02}", self.month, self.year.rem_euclid(100))
    }
}

/// The provider's description of a payment method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodDescription {
    pub provider_id: String,
    pub kind: MethodKind,
    /// Card brand or name of the bank.
    pub institution_name: String,
    pub last4: String,
    /// Cards only.
    pub expiry: Option<Expiry>,
    /// Credit, debit, checking, savings …
    pub account_type: String,
}

/// A consumer's payment method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentMethod {
    pub id: PaymentMethodId,
    pub description: MethodDescription,
    pub is_default: bool,
    pub added_at: Timestamp,
}

/// A change of a payment method, for the event that reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodVersion {
    pub consumer_id: ConsumerId,
    pub id: PaymentMethodId,
    pub version: i64,
}

/// What the client needs to save a card at the provider.
#[derive(Debug)]
pub struct SetupIntent {
    pub client_secret: SecretString,
    pub publishable_key: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_valid_until_the_end_of_its_month() {
        let expiry = Expiry { month: 2, year: 2027 };
        assert!(!expiry.is_past("2027-02-28T23:59:59Z".parse().unwrap()));
        assert!(expiry.is_past("2027-03-01T00:00:00Z".parse().unwrap()));
        assert_eq!(expiry.to_string(), "02/27");
    }
}
