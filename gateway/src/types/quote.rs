//! Quotes: the price and ready time of a cart.

use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;
use serde::Serialize;
use utoipa::ToSchema;

use super::art::Art;
use super::enums::{ItemKind, UnknownValue};
use super::money::Money;
use super::store::Store;
use super::{convert_all, non_empty, try_convert_all};

/// The price and ready time of a cart if it was ordered now. Nothing is reserved.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Quote {
    #[schema(required)]
    pub(crate) store: Option<Store>,
    pub(crate) lines: Vec<OrderLine>,
    /// Sum of the lines before discount, tax and tip.
    pub(crate) subtotal: Money,
    /// Discount of the promo code.
    pub(crate) discount: Money,
    /// On the subtotal less the discount.
    pub(crate) tax: Money,
    pub(crate) tip: Money,
    pub(crate) total: Money,
    /// Parts per million.
    pub(crate) tax_rate_ppm: i64,
    /// Promised ready time; null while the store accepts no orders.
    #[schema(required)]
    pub(crate) eta: Option<Eta>,
    /// Lines that cannot be ordered; the totals exclude them.
    pub(crate) problems: Vec<LineProblem>,
    /// Reason code if the promo code does not apply.
    #[schema(required)]
    pub(crate) promo_reason: Option<String>,
    /// The reason as a sentence for the consumer.
    #[schema(required)]
    pub(crate) promo_message: Option<String>,
    /// Points that the order would earn.
    pub(crate) points: i64,
    /// Make time in seconds.
    pub(crate) make_seconds: u32,
}

impl TryFrom<ordering::Quote> for Quote {
    type Error = UnknownValue;

    fn try_from(quote: ordering::Quote) -> Result<Self, UnknownValue> {
        Ok(Self {
            store: quote.store.map(Store::try_from).transpose()?,
            lines: try_convert_all(quote.lines)?,
            subtotal: quote.subtotal.try_into()?,
            discount: quote.discount.try_into()?,
            tax: quote.tax.try_into()?,
            tip: quote.tip.try_into()?,
            total: quote.total.try_into()?,
            tax_rate_ppm: quote.tax_rate_ppm,
            eta: eta(quote.eta),
            problems: convert_all(quote.problems),
            promo_reason: non_empty(quote.promo_reason),
            promo_message: non_empty(quote.promo_message),
            points: quote.points,
            make_seconds: quote.make_seconds,
        })
    }
}

/// Data of `PRICE_CHANGED` and `ETA_CHANGED` errors.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct QuoteData {
    /// The new price and ready time, which the consumer has to confirm.
    #[schema(required)]
    pub(crate) quote: Option<Quote>,
}

/// The promised ready time.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Eta {
    #[schema(format = DateTime)]
    pub(crate) ready_at: String,
    /// The consumer chose the time.
    pub(crate) scheduled: bool,
    /// IANA name of the store's time zone.
    pub(crate) time_zone: String,
}

/// Returns `None` if the message has no ready time.
pub(crate) fn eta(eta: Option<ordering::Eta>) -> Option<Eta> {
    let eta = eta?;
    Some(Eta {
        ready_at: non_empty(eta.ready_at)?,
        scheduled: eta.scheduled,
        time_zone: eta.time_zone,
    })
}

/// A priced line. Names and prices are those at the time of pricing.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderLine {
    /// The line's id in the cart.
    pub(crate) line_id: String,
    pub(crate) item_id: String,
    pub(crate) item_name: String,
    pub(crate) size_id: String,
    pub(crate) size_name: String,
    pub(crate) kind: ItemKind,
    pub(crate) art: Art,
    pub(crate) quantity: u32,
    /// Price of one, with its choices.
    pub(crate) unit_price: Money,
    pub(crate) choices: Vec<OrderChoice>,
    /// For the barista.
    pub(crate) note: String,
    /// Unit price times quantity.
    pub(crate) amount: Money,
    /// The line's share of the discount.
    pub(crate) discount: Money,
}

impl TryFrom<ordering::QuoteLine> for OrderLine {
    type Error = UnknownValue;

    fn try_from(quoted: ordering::QuoteLine) -> Result<Self, UnknownValue> {
        let line = quoted.line.unwrap_or_default();
        Ok(Self {
            line_id: line.line_id,
            item_id: line.item_id,
            item_name: line.item_name,
            size_id: line.size_id,
            size_name: line.size_name,
            kind: line.kind.as_str().try_into()?,
            art: line.art.into(),
            quantity: line.quantity,
            unit_price: line.unit_price.try_into()?,
            choices: try_convert_all(line.choices)?,
            note: line.note,
            amount: quoted.amount.try_into()?,
            discount: quoted.discount.try_into()?,
        })
    }
}

/// A choice of a priced line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderChoice {
    pub(crate) modification_id: String,
    pub(crate) modification_name: String,
    pub(crate) choice_id: String,
    pub(crate) choice_name: String,
    /// 0 for a default of the item that the consumer left out.
    pub(crate) quantity: u32,
    /// For the whole quantity, per item.
    pub(crate) price: Money,
    /// Effect in the drawing: "milk:oat".
    pub(crate) art_key: String,
    /// A default choice of the item; left out of summaries.
    pub(crate) is_default: bool,
}

impl TryFrom<stores::ResolvedChoice> for OrderChoice {
    type Error = UnknownValue;

    fn try_from(choice: stores::ResolvedChoice) -> Result<Self, UnknownValue> {
        Ok(Self {
            modification_id: choice.modification_id,
            modification_name: choice.modification_name,
            choice_id: choice.choice_id,
            choice_name: choice.choice_name,
            quantity: choice.quantity,
            price: choice.price.try_into()?,
            art_key: choice.art_key,
            is_default: choice.is_default,
        })
    }
}

/// Why a line, or the whole cart, cannot be ordered.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LineProblem {
    /// Empty if the problem concerns the whole cart.
    pub(crate) line_id: String,
    /// Reason code, for example `ITEM_SOLD_OUT` or `CHOICE_LIMIT`.
    pub(crate) reason: String,
    /// The reason as a sentence for the consumer.
    pub(crate) message: String,
}

impl From<stores::LineProblem> for LineProblem {
    fn from(problem: stores::LineProblem) -> Self {
        Self {
            line_id: problem.line_id,
            reason: problem.reason,
            message: problem.message,
        }
    }
}
