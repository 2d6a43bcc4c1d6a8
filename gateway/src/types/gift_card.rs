//! Gift cards and deals.

use proto::giftcards::v1 as giftcards;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::enums::UnknownValue;
use super::money::{Money, cents};
use super::payment_choice::PaymentChoice;
use super::purchase::payment_source;
use super::{non_empty, try_convert_all};
use crate::error::ApiError;

/// How a recipient gets a gift card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RecipientKind {
    /// Into the buyer's own wallet.
    #[serde(rename = "self")]
    Buyer,
    /// By text message.
    Phone,
    Email,
}

/// Who receives a gift card.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Recipient {
    pub(crate) kind: RecipientKind,
    /// Phone number or email address.
    #[serde(default)]
    pub(crate) value: Option<String>,
    #[serde(default)]
    pub(crate) name: Option<String>,
}

impl From<Recipient> for giftcards::Recipient {
    fn from(recipient: Recipient) -> Self {
        let kind = match recipient.kind {
            RecipientKind::Buyer => giftcards::RecipientKind::Self_,
            RecipientKind::Phone => giftcards::RecipientKind::Phone,
            RecipientKind::Email => giftcards::RecipientKind::Email,
        };
        Self {
            kind: kind.into(),
            value: recipient.value.unwrap_or_default(),
            name: recipient.name.unwrap_or_default(),
        }
    }
}

/// Buys a gift card.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BuyGiftCardRequest {
    /// Cents. A deal defines its own amount.
    pub(crate) amount: i64,
    pub(crate) recipient: Recipient,
    /// Date of the delivery, at most a year ahead; now if absent.
    #[serde(default)]
    #[schema(format = Date)]
    pub(crate) deliver_on: Option<String>,
    #[serde(default)]
    pub(crate) message: Option<String>,
    /// The drawing on the card: "classic", "birthday", "thank-you", "congratulations", "holiday" or "love".
    pub(crate) design: String,
    pub(crate) payment: PaymentChoice,
    /// Create a new key for each purchase. Repeat the request with the same key after a timeout, a 5xx or an
    /// authentication.
    pub(crate) idempotency_key: String,
    #[serde(default)]
    pub(crate) deal_id: Option<String>,
}

impl TryFrom<BuyGiftCardRequest> for giftcards::BuyGiftCardRequest {
    type Error = ApiError;

    fn try_from(request: BuyGiftCardRequest) -> Result<Self, ApiError> {
        Ok(Self {
            amount: Some(cents(request.amount)),
            recipient: Some(request.recipient.into()),
            deliver_on: request.deliver_on.unwrap_or_default(),
            message: request.message.unwrap_or_default(),
            design: request.design,
            payment: Some(payment_source(request.payment)?),
            idempotency_key: request.idempotency_key,
            deal_id: request.deal_id.unwrap_or_default(),
        })
    }
}

/// Adds a gift card to the wallet.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct RedeemGiftCardRequest {
    /// As shown in the message: 16 letters and digits. Upper and lower case, spaces and hyphens do not matter.
    pub(crate) code: String,
}

/// Adds a physical gift card to the wallet.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct LinkGiftCardRequest {
    /// As printed on the card.
    pub(crate) number: String,
    /// For cards that have one.
    #[serde(default)]
    pub(crate) pin: Option<String>,
}

/// Which deals to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct DealsQuery {
    /// Deals for cards of this company; if absent, for cards that all stores accept.
    pub(crate) company_id: Option<String>,
}

/// The deals that the consumer can use.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DealList {
    /// Cheapest first.
    pub(crate) deals: Vec<Deal>,
}

impl TryFrom<giftcards::ListGiftCardDealsResponse> for DealList {
    type Error = UnknownValue;

    fn try_from(list: giftcards::ListGiftCardDealsResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            deals: try_convert_all(list.deals)?,
        })
    }
}

/// An offer to buy value for less than its amount.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Deal {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) description: String,
    /// Amount to pay.
    pub(crate) price: Money,
    /// Value of the card.
    pub(crate) value: Money,
    /// Null for cards that all stores accept.
    #[schema(required)]
    pub(crate) company_id: Option<String>,
    #[schema(required)]
    pub(crate) company_name: Option<String>,
    #[schema(required, format = DateTime)]
    pub(crate) ends_at: Option<String>,
    /// How often the consumer can still use it.
    pub(crate) uses_left: u32,
}

impl TryFrom<giftcards::Deal> for Deal {
    type Error = UnknownValue;

    fn try_from(deal: giftcards::Deal) -> Result<Self, UnknownValue> {
        Ok(Self {
            id: deal.deal_id,
            title: deal.title,
            description: deal.description,
            price: deal.price.try_into()?,
            value: deal.value.try_into()?,
            company_id: non_empty(deal.company_id),
            company_name: non_empty(deal.company_name),
            ends_at: non_empty(deal.ends_at),
            uses_left: deal.uses_left,
        })
    }
}
