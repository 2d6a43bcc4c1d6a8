//! How a payment method behaves: what its test number stands for. Never part of the API's answers.

use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// When the consumer has to authenticate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Authentication {
    Never,
    /// Until it was authenticated while being set up for later use.
    UntilSetUp,
    Always,
}

/// A refusal by the card's issuer or the bank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decline {
    pub code: String,
    pub decline_code: Option<String>,
    pub message: String,
}

impl Decline {
    /// The provider's wording for a code, or for a decline code under `card_declined`.
    pub fn named(name: &str) -> Self {
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
            "incorrect_cvc" => (name, Some(name)),
            "authentication_required" => (name, Some(name)),
            _ => ("card_declined", Some(name)),
        };
        Self {
            code: code.to_owned(),
            decline_code: decline_code.map(ToOwned::to_owned),
            message: message.to_owned(),
        }
    }

    /// The provider's wording for a bank debit that failed.
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

    pub fn refusal(&self) -> Refusal {
        Refusal::card(&self.code, self.decline_code.as_deref(), &self.message)
    }
}

/// What becomes of a bank debit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    Settles,
    /// Comes back with this failure code.
    Returns(String),
    /// Settles, and is disputed afterwards.
    SettlesThenDisputed,
    /// Stays in processing until an admin call decides it.
    Never,
}

/// The behaviour of one payment method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nature {
    pub payment_method: String,
    pub authentication: Authentication,
    /// Refuses to be attached or set up.
    pub on_attach: Option<Decline>,
    /// Refuses to be charged.
    pub on_charge: Option<Decline>,
    /// Charged, then disputed.
    pub disputed: bool,
    pub settlement: Settlement,
    /// Authenticated while being set up.
    pub set_up: bool,
    /// Detached, so never to be used again.
    pub spent: bool,
}

impl Default for Nature {
    fn default() -> Self {
        Self {
            payment_method: String::new(),
            authentication: Authentication::Never,
            on_attach: None,
            on_charge: None,
            disputed: false,
            settlement: Settlement::Settles,
            set_up: false,
            spent: false,
        }
    }
}

impl Nature {
    /// Whether the consumer has to authenticate before this payment method is set up.
    pub fn authenticates_setup(&self) -> bool {
        self.authentication != Authentication::Never
    }

    /// Whether the consumer has to authenticate before this charge.
    pub fn authenticates_charge(&self) -> bool {
        match self.authentication {
            Authentication::Never => false,
            Authentication::UntilSetUp => !self.set_up,
            Authentication::Always => true,
        }
    }
}
