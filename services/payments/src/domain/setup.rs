//! Setup intents: how consumers add payment methods, and what they agree to.

use secrecy::SecretString;
use types::Money;

use super::payment_method::{MethodDescription, MethodKind};

/// What the client needs to link a bank account.
#[derive(Debug)]
pub struct BankSession {
    pub client_secret: SecretString,
    pub publishable_key: String,
    pub consent: BankConsent,
}

/// What a consumer agrees to when they link a bank account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankConsent {
    /// Authorizes debits from the account.
    pub mandate_text: String,
    /// Agrees to the fee for returned debits.
    pub fee_consent_text: String,
}

/// A setup intent of a consumer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    pub provider_id: String,
    pub kind: MethodKind,
}

/// The provider's state of a setup intent.
#[derive(Debug, Clone)]
pub struct ProviderSetup {
    /// The saved method. `None` until the setup has succeeded.
    pub method: Option<MethodDescription>,
    pub mandate_id: Option<String>,
}

impl BankConsent {
    pub fn new(penalty_fee: Money) -> Self {
        let fee = if penalty_fee.is_positive() {
            format!(" and a {penalty_fee} fee")
        } else {
            String::new()
        };
        Self {
            mandate_text:
                "By linking your bank account, you authorize Order Ahead to debit it for your orders and \
                           purchases, and to credit it for refunds, until you remove the account."
                    .to_owned(),
            fee_consent_text: format!(
                "If your bank returns a payment after your order was made or the money was spent, you owe the \
                 payment{fee}."
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_consent_names_the_fee() {
        let consent = BankConsent::new(Money::usd(500));
        assert!(consent.fee_consent_text.contains("$5.00 fee"), "{consent:?}");
    }

    #[test]
    fn the_consent_mentions_no_fee_of_zero() {
        let consent = BankConsent::new(Money::usd(0));
        assert!(
            consent.fee_consent_text.ends_with("you owe the payment."),
            "{consent:?}"
        );
    }
}
