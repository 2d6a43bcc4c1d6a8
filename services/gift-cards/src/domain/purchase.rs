//! Purchases of stored value: top-ups, gift cards and company cards.

use jiff::{SignedDuration, Timestamp};
use types::{BalanceId, CompanyId, ConsumerId, DealId, GiftCardId, Money, PurchaseId, text_enum};

use super::{charge::ClientSecret, recipient::Recipient};

text_enum! {
    pub enum PurchaseKind {
        TopUp = "top_up",
        GiftCard = "gift_card",
        CompanyCard = "company_card",
    }
}

text_enum! {
    pub enum PurchaseState {
        /// A task works on it, or recovery will close it.
        Pending = "pending",
        /// The consumer has to authenticate the payment.
        RequiresAction = "requires_action",
        /// A bank debit was started: the value is pending.
        Processing = "processing",
        Completed = "completed",
        Failed = "failed",
        /// The bank returned the debit.
        Returned = "returned",
    }
}

/// Time after which a consumer no longer waits in the app for a purchase.
const WAIT: SignedDuration = SignedDuration::from_mins(2);

text_enum! {
    /// How a purchase is paid.
    pub enum Tender {
        Card = "card",
        Bank = "bank",
        ApplePay = "apple_pay",
        GooglePay = "google_pay",
    }
}

text_enum! {
    /// An event about the charge of a purchase. A greater variant replaces a smaller one.
    #[derive(PartialOrd, Ord)]
    pub enum ChargeOutcome {
        Settled = "settled",
        Declined = "declined",
        Returned = "returned",
    }
}

/// A payment method that the consumer has saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SavedMethod {
    pub tender: Tender,
    /// `None` if payments does not report it.
    pub added_at: Option<Timestamp>,
}

/// The payment method of a purchase.
#[derive(Clone, PartialEq, Eq)]
pub enum PaymentSource {
    Saved {
        payment_method_id: String,
    },
    Wallet {
        tender: Tender,
        /// Used once, never saved.
        provider_payment_method_id: String,
    },
}

impl std::fmt::Debug for PaymentSource {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Saved { payment_method_id } => out.debug_tuple("Saved").field(payment_method_id).finish(),
            Self::Wallet { tender, .. } => out.debug_tuple("Wallet").field(tender).finish(),
        }
    }
}

/// The part of a purchase command that all kinds have.
#[derive(Debug, Clone)]
pub struct Payment {
    pub consumer_id: ConsumerId,
    pub source: PaymentSource,
    /// The kind of the saved method that the client names. `None` if it names none.
    pub saved_method_kind: Option<Tender>,
    pub idempotency_key: String,
    /// Hash of the canonical request, without its key.
    pub request_hash: Vec<u8>,
}

#[derive(Debug, Clone)]
pub struct AddFunds {
    pub payment: Payment,
    pub amount: Money,
    /// `None` for JoePass.
    pub balance_id: Option<BalanceId>,
}

#[derive(Debug, Clone)]
pub struct BuyGiftCard {
    pub payment: Payment,
    pub amount: Money,
    pub deal_id: Option<DealId>,
    pub recipient: Recipient,
    pub deliver_on: Option<jiff::civil::Date>,
    pub message: String,
    pub design: String,
}

#[derive(Debug, Clone)]
pub struct PurchaseCompanyGiftCard {
    pub payment: Payment,
    pub company_id: CompanyId,
    /// The amount, unless a deal defines it.
    pub amount: Option<Money>,
    pub deal_id: Option<DealId>,
}

/// What is bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    TopUp {
        balance_id: BalanceId,
    },
    GiftCard {
        id: GiftCardId,
        recipient: Recipient,
        message: String,
        design: String,
        deliver_at: Timestamp,
    },
    CompanyCard {
        company_id: CompanyId,
        company_name: String,
    },
}

impl Item {
    #[must_use]
    pub const fn kind(&self) -> PurchaseKind {
        match self {
            Self::TopUp { .. } => PurchaseKind::TopUp,
            Self::GiftCard { .. } => PurchaseKind::GiftCard,
            Self::CompanyCard { .. } => PurchaseKind::CompanyCard,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase {
    pub id: PurchaseId,
    pub consumer_id: ConsumerId,
    pub item: Item,
    pub state: PurchaseState,
    /// Fences tasks: each takeover increments it.
    pub epoch: i64,
    /// Set in the response of a task that found that the consumer has to authenticate the payment. Not stored.
    pub client_secret: ClientSecret,
    pub idempotency_key: String,
    pub request_hash: Vec<u8>,
    /// Charged.
    pub amount: Money,
    /// Added to the balance: the amount and the bonus of the deal.
    pub value: Money,
    pub deal_id: Option<DealId>,
    pub tender: Tender,
    /// Empty for Apple Pay and Google Pay.
    pub payment_method_id: String,
    /// Started by the rule for automatic reloads.
    pub is_automatic: bool,
    /// The balance that received the value, or will receive it.
    pub balance_id: Option<BalanceId>,
    pub failure: Option<Failure>,
    pub created_at: Timestamp,
}

impl Purchase {
    /// Returns the bonus of the deal.
    #[must_use]
    pub fn bonus(&self) -> Money {
        self.value.minus(self.amount).unwrap_or_default()
    }

    /// Returns whether its consumer has to be notified that an event about the charge completes it now. Automatic reloads have
    /// a notification of their own.
    #[must_use]
    pub fn needs_confirmation(&self, now: Timestamp) -> bool {
        !self.is_automatic && now.duration_since(self.created_at) >= WAIT
    }
}

text_enum! {
    /// Kind of the error that ended a purchase.
    pub enum FailureCode {
        RuleViolation = "rule_violation",
        Conflict = "conflict",
        Forbidden = "forbidden",
    }
}

/// Why a purchase failed: the response to every later call with its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub code: FailureCode,
    pub reason: String,
    pub message: String,
}

impl Failure {
    /// The payment was declined for a reason that payments reports, with a sentence for the consumer.
    #[must_use]
    pub const fn declined(reason: String, message: String) -> Self {
        Self {
            code: FailureCode::RuleViolation,
            reason,
            message,
        }
    }

    #[must_use]
    pub fn conflict(reason: &str, message: &str) -> Self {
        Self {
            code: FailureCode::Conflict,
            reason: reason.to_owned(),
            message: message.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_return_replaces_a_settlement() {
        assert!(ChargeOutcome::Returned > ChargeOutcome::Settled);
    }

    #[test]
    fn the_id_of_a_wallet_payment_is_not_shown() {
        let source = PaymentSource::Wallet {
            tender: Tender::ApplePay,
            provider_payment_method_id: "pm_secret".to_owned(),
        };
        assert_eq!(format!("{source:?}"), "Wallet(ApplePay)");
    }
}
