//! The payment method of an order or purchase.

use proto::ordering::v1 as ordering;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::enums::{PaymentType, UnknownValue};
use super::money::Money;
use super::non_empty;

/// The payment method of an order.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentChoice {
    #[serde(rename = "type")]
    pub(crate) kind: PaymentType,
    /// The id of the balance for joebucks.
    #[serde(default)]
    #[schema(required)]
    pub(crate) payment_method_id: String,
    /// Apple Pay and Google Pay only: the id of the payment method that the wallet created for this order. It is used once
    /// and never saved; absent in responses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) wallet_payment_method_id: Option<String>,
}

impl From<PaymentChoice> for ordering::Tender {
    fn from(choice: PaymentChoice) -> Self {
        Self {
            kind: ordering::TenderKind::from(choice.kind).into(),
            payment_method_id: if choice.kind.is_wallet() {
                // The id of a built-in entry, such as `apple_pay_web`. Only the wallet's id identifies the payment.
                String::new()
            } else {
                choice.payment_method_id
            },
            wallet_payment_method_id: choice.wallet_payment_method_id.unwrap_or_default(),
        }
    }
}

/// Stored value that pays a part of an order. The payment method, a card or a wallet, pays the rest.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoredValuePart {
    /// The id of the balance; empty for JoePass.
    #[serde(default)]
    #[schema(required)]
    pub(crate) payment_method_id: String,
    /// At most this amount: less if the total is lower, or if the rest is below the minimum of a card.
    pub(crate) amount: Money,
}

impl From<StoredValuePart> for ordering::StoredValuePart {
    fn from(part: StoredValuePart) -> Self {
        Self {
            balance_id: part.payment_method_id,
            amount: Some(part.amount.into()),
        }
    }
}

/// A part of an order's payment.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PaymentPart {
    #[serde(rename = "type")]
    pub(crate) kind: PaymentType,
    /// Name of the balance: "JoePass", "Gift card"; null for other types.
    #[schema(required)]
    pub(crate) name: Option<String>,
    pub(crate) amount: Money,
}

impl TryFrom<ordering::TenderPart> for PaymentPart {
    type Error = UnknownValue;

    fn try_from(part: ordering::TenderPart) -> Result<Self, UnknownValue> {
        Ok(Self {
            kind: part.kind.try_into()?,
            name: non_empty(part.name),
            amount: part.amount.try_into()?,
        })
    }
}

impl TryFrom<ordering::Tender> for PaymentChoice {
    type Error = UnknownValue;

    fn try_from(tender: ordering::Tender) -> Result<Self, UnknownValue> {
        Ok(Self {
            kind: tender.kind.try_into()?,
            payment_method_id: tender.payment_method_id,
            wallet_payment_method_id: None,
        })
    }
}
