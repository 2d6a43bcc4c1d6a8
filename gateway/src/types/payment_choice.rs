//! The payment method of an order or purchase.

use proto::ordering::v1 as ordering;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::enums::{PaymentType, UnknownValue};

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
            payment_method_id: choice.payment_method_id,
            wallet_payment_method_id: choice.wallet_payment_method_id.unwrap_or_default(),
        }
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
