//! Purchases of stored value.

use kit::ErrorCode;
use proto::giftcards::v1 as giftcards;
use proto::payments::v1::{self as payments, payment_source::Source};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::enums::{PaymentType, UnknownValue};
use super::money::{Money, cents};
use super::non_empty;
use super::payment::ProviderScript;
use super::payment_choice::PaymentChoice;
use super::wallet::Balance;
use crate::error::ApiError;

/// State of a purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) enum PurchaseState {
    /// The consumer has to authenticate the payment with `clientSecret`; then call again with the same key.
    RequiresAction,
    /// A bank debit was started. The value is pending until it settles.
    Processing,
    Completed,
    Failed,
    /// The bank returned the debit.
    Returned,
}

impl TryFrom<i32> for PurchaseState {
    type Error = UnknownValue;

    fn try_from(state: i32) -> Result<Self, UnknownValue> {
        use giftcards::PurchaseState as State;
        match State::try_from(state) {
            Ok(State::PurchaseRequiresAction) => Ok(Self::RequiresAction),
            Ok(State::PurchaseProcessing) => Ok(Self::Processing),
            Ok(State::PurchaseCompleted) => Ok(Self::Completed),
            Ok(State::PurchaseFailed) => Ok(Self::Failed),
            Ok(State::PurchaseReturned) => Ok(Self::Returned),
            Ok(State::Unspecified) | Err(_) => Err(UnknownValue("purchase state")),
        }
    }
}

/// A purchase of stored value.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Purchase {
    pub(crate) purchase_id: String,
    pub(crate) state: PurchaseState,
    /// Amount to pay.
    pub(crate) amount: Money,
    /// Added to the balance; higher than the amount with a deal.
    pub(crate) value: Money,
    #[schema(format = DateTime)]
    pub(crate) created_at: String,
    /// Whether it is an automatic reload.
    pub(crate) is_automatic: bool,
    /// Company cards only.
    #[schema(required)]
    pub(crate) company_id: Option<String>,
    #[schema(required)]
    pub(crate) company_name: Option<String>,
}

impl TryFrom<giftcards::Purchase> for Purchase {
    type Error = UnknownValue;

    fn try_from(purchase: giftcards::Purchase) -> Result<Self, UnknownValue> {
        Ok(Self {
            purchase_id: purchase.purchase_id,
            state: purchase.state.try_into()?,
            amount: purchase.amount.try_into()?,
            value: purchase.value.try_into()?,
            created_at: purchase.created_at,
            is_automatic: purchase.is_automatic,
            company_id: non_empty(purchase.company_id),
            company_name: non_empty(purchase.company_name),
        })
    }
}

/// The result of buying stored value.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PurchaseResult {
    #[serde(flatten)]
    pub(crate) purchase: Purchase,
    /// Set while the state is `RequiresAction`.
    #[schema(required)]
    pub(crate) client_secret: Option<String>,
    /// Set while the state is `RequiresAction`: the script that authenticates the payment.
    #[schema(required)]
    pub(crate) provider_script: Option<ProviderScript>,
    /// The balance that received the value, or will receive it; null for a card for someone else, and for a new card that is
    /// not paid yet.
    #[schema(required)]
    pub(crate) balance: Option<Balance>,
    /// The bought gift card; null for top-ups.
    #[schema(required)]
    pub(crate) gift_card: Option<IssuedGiftCard>,
}

/// A gift card that was bought. Its code is sent to the recipient only.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IssuedGiftCard {
    pub(crate) id: String,
}

impl TryFrom<giftcards::Purchase> for PurchaseResult {
    type Error = UnknownValue;

    fn try_from(mut purchase: giftcards::Purchase) -> Result<Self, UnknownValue> {
        Ok(Self {
            client_secret: non_empty(std::mem::take(&mut purchase.client_secret)),
            provider_script: None,
            balance: purchase.balance.take().map(Balance::try_from).transpose()?,
            gift_card: non_empty(std::mem::take(&mut purchase.gift_card_id)).map(|id| IssuedGiftCard { id }),
            purchase: purchase.try_into()?,
        })
    }
}

/// Adds funds to a balance.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddFundsRequest {
    /// Cents.
    pub(crate) amount: i64,
    pub(crate) payment: PaymentChoice,
    /// JoePass if absent.
    #[serde(default)]
    pub(crate) balance_id: Option<String>,
    /// Create a new key for each purchase. Repeat the request with the same key after a timeout, a 5xx or an
    /// authentication.
    pub(crate) idempotency_key: String,
}

impl TryFrom<AddFundsRequest> for giftcards::AddFundsRequest {
    type Error = ApiError;

    fn try_from(request: AddFundsRequest) -> Result<Self, ApiError> {
        Ok(Self {
            amount: Some(cents(request.amount)),
            payment: Some(payment_source(request.payment)?),
            balance_id: request.balance_id.unwrap_or_default(),
            idempotency_key: request.idempotency_key,
        })
    }
}

/// The id of a wallet's built-in entry, such as `apple_pay_web`, is ignored, as for an order.
///
/// # Errors
/// `TENDER_UNSUPPORTED`: stored value cannot be bought with stored value.
pub(crate) fn payment_source(choice: PaymentChoice) -> Result<payments::PaymentSource, ApiError> {
    use payments::{MethodKind, WalletKind};
    match choice.kind {
        PaymentType::Card => Ok(saved_method(MethodKind::Card, choice)),
        PaymentType::Bank => Ok(saved_method(MethodKind::Bank, choice)),
        PaymentType::Apple => Ok(wallet(WalletKind::ApplePay, choice)),
        PaymentType::Google => Ok(wallet(WalletKind::GooglePay, choice)),
        PaymentType::Joebucks => {
            let message = "You can't pay for this with a balance. Choose another way to pay.";
            let error = ApiError::new(ErrorCode::RuleViolation, "TENDER_UNSUPPORTED", message);
            Err(error.with_field("payment"))
        }
    }
}

fn saved_method(kind: payments::MethodKind, choice: PaymentChoice) -> payments::PaymentSource {
    payments::PaymentSource {
        saved_method_kind: kind.into(),
        source: Some(Source::PaymentMethodId(choice.payment_method_id)),
    }
}

fn wallet(kind: payments::WalletKind, choice: PaymentChoice) -> payments::PaymentSource {
    payments::PaymentSource {
        source: Some(Source::Wallet(payments::WalletPayment {
            kind: kind.into(),
            provider_payment_method_id: choice.wallet_payment_method_id.unwrap_or_default(),
        })),
        ..payments::PaymentSource::default()
    }
}
