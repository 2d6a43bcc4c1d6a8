//! What a payment method does when it is attached or charged. Its test number decides; API responses do not show it.

use serde::{Deserialize, Serialize};

use crate::api_error::ApiError;

/// When the consumer has to authenticate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Authentication {
    Never,
    /// At each charge, until a setup with authentication has succeeded.
    UntilSetUp,
    Always,
}

/// A decline by the card issuer or the bank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decline {
    pub code: String,
    pub decline_code: Option<String>,
    pub message: String,
}

impl Decline {
    /// Returns the decline of a card. The name is an error code, or a decline code under `card_declined`.
    pub fn of_card(name: &str) -> Self {
        let message = match name {
            "insufficient_funds" => "Your card has insufficient funds.",
            "expired_card" => "Your card has expired.",
            "incorrect_cvc" => "Your card's security code is incorrect.",
            "processing_error" => "An error occurred while processing your card. Try again in a little bit.",
            "authentication_required" => "Your card was declined. This transaction requires authentication.",
            "test_mode_live_card" => {
                "Your card was declined. Your request was in test mode, but used a non test (live) card. \
                 For a list of valid test cards, visit: https://stripe.com/docs/testing."
            }
            _ => "Your card was declined.",
        };
        let (code, decline_code) = match name {
            "expired_card" | "processing_error" => (name, None),
            "incorrect_cvc" | "authentication_required" => (name, Some(name)),
            _ => ("card_declined", Some(name)),
        };
        Self {
            code: code.to_owned(),
            decline_code: decline_code.map(ToOwned::to_owned),
            message: message.to_owned(),
        }
    }

    /// Returns the decline of a bank debit with a failure code.
    pub fn of_bank(code: &str) -> Self {
        let message = match code {
            "account_closed" => "The customer's bank account has been closed.",
            "no_account" => "The customer's bank account could not be located.",
            "insufficient_funds" => "The customer's account has insufficient funds to cover this payment.",
            "debit_not_authorized" => {
                "The customer has notified their bank that this payment was unauthorized."
            }
            _ => "The bank could not process this payment.",
        };
        Self {
            code: code.to_owned(),
            decline_code: None,
            message: message.to_owned(),
        }
    }

    pub fn to_error(&self) -> ApiError {
        ApiError::card(&self.code, self.decline_code.as_deref(), &self.message)
    }
}

/// The result of a bank debit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    Settles,
    /// The bank returns the debit with this failure code.
    Returns(String),
    /// The debit settles and is then disputed.
    SettlesThenDisputed,
    /// The debit stays in processing until an admin call decides it.
    Never,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardBehavior {
    pub payment_method: String,
    pub authentication: Authentication,
    /// Declines being attached or set up.
    pub on_attach: Option<Decline>,
    /// Declines being charged.
    pub on_charge: Option<Decline>,
    /// Charges succeed and are then disputed.
    pub disputed: bool,
    pub settlement: Settlement,
    /// Whether a setup has succeeded.
    pub set_up: bool,
    /// Whether it was detached. A detached payment method can never be used again.
    pub detached: bool,
}

impl Default for CardBehavior {
    fn default() -> Self {
        Self {
            payment_method: String::new(),
            authentication: Authentication::Never,
            on_attach: None,
            on_charge: None,
            disputed: false,
            settlement: Settlement::Settles,
            set_up: false,
            detached: false,
        }
    }
}

impl CardBehavior {
    pub fn setup_requires_authentication(&self) -> bool {
        self.authentication != Authentication::Never
    }

    pub fn charge_requires_authentication(&self) -> bool {
        match self.authentication {
            Authentication::Never => false,
            Authentication::UntilSetUp => !self.set_up,
            Authentication::Always => true,
        }
    }
}
