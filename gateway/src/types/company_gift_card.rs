//! Company cards.

use proto::giftcards::v1 as giftcards;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::enums::UnknownValue;
use super::money::cents;
use super::page::PageQuery;
use super::payment_choice::PaymentChoice;
use super::purchase::{Purchase, payment_source};
use super::try_convert_all;
use crate::error::ApiError;

/// Buys a company card, or adds to the one that the consumer has.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PurchaseCompanyGiftCardRequest {
    pub(crate) company_id: String,
    /// The deal defines the amount.
    #[serde(default)]
    pub(crate) deal_id: Option<String>,
    /// Cents. Required without a deal.
    #[serde(default)]
    pub(crate) amount: Option<i64>,
    pub(crate) payment: PaymentChoice,
    /// Create a new key for each purchase. Repeat the request with the same key after a timeout, a 5xx or an
    /// authentication.
    pub(crate) idempotency_key: String,
}

impl TryFrom<PurchaseCompanyGiftCardRequest> for giftcards::PurchaseCompanyGiftCardRequest {
    type Error = ApiError;

    fn try_from(request: PurchaseCompanyGiftCardRequest) -> Result<Self, ApiError> {
        Ok(Self {
            company_id: request.company_id,
            deal_id: request.deal_id.unwrap_or_default(),
            amount: request.amount.map(cents),
            payment: Some(payment_source(request.payment)?),
            idempotency_key: request.idempotency_key,
        })
    }
}

/// A company.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanyRequest {
    pub(crate) company_id: String,
}

/// A company card.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanyGiftCardQuery {
    /// The `giftCardId` of a balance.
    pub(crate) gift_card_id: String,
}

/// Selects company cards and a page of a list about them.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanyGiftCardsQuery {
    /// All companies if absent.
    pub(crate) company_id: Option<String>,
    /// Number of entries.
    pub(crate) take: Option<u32>,
    /// Number of entries to skip.
    pub(crate) skip: Option<u32>,
}

impl CompanyGiftCardsQuery {
    pub(crate) const fn page(&self) -> PageQuery {
        PageQuery {
            take: self.take,
            skip: self.skip,
        }
    }
}

/// Purchases that added to company cards.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UploadList {
    /// Newest first.
    pub(crate) uploads: Vec<Purchase>,
}

impl TryFrom<giftcards::ListCompanyGiftCardUploadsResponse> for UploadList {
    type Error = UnknownValue;

    fn try_from(list: giftcards::ListCompanyGiftCardUploadsResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            uploads: try_convert_all(list.uploads)?,
        })
    }
}
