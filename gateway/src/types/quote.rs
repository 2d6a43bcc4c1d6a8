//! What a cart would cost, and when it would be ready.

use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::art::Art;
use super::cart::Cart;
use super::money::Money;
use super::present;
use super::store::Store;
use super::words::ItemKind;

/// A cart to price.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PriceOrderRequest {
    /// It.
    pub cart: Cart,
}

/// The price of a cart, as placing it now would have it. Nothing is reserved.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quote {
    /// Where it would be made.
    #[schema(required)]
    pub store: Option<Store>,
    /// What would be made.
    pub lines: Vec<OrderLine>,
    /// Lines together.
    pub subtotal: Money,
    /// What the promo takes off.
    pub discount: Money,
    /// On the subtotal less the discount.
    pub tax: Money,
    /// For the baristas.
    pub tip: Money,
    /// To pay.
    pub total: Money,
    /// Parts per million.
    pub tax_rate_ppm: i64,
    /// When it would be ready; null while the store takes no orders.
    #[schema(required)]
    pub eta: Option<Eta>,
    /// Lines that cannot be ordered; the totals leave them out.
    pub problems: Vec<LineProblem>,
    /// Why the promo code gives nothing, for code.
    #[schema(required)]
    pub promo_reason: Option<String>,
    /// The same for the person.
    #[schema(required)]
    pub promo_message: Option<String>,
    /// What it would earn.
    pub points: i64,
    /// How long the making takes.
    pub make_seconds: u32,
}

impl From<ordering::Quote> for Quote {
    fn from(quote: ordering::Quote) -> Self {
        Self {
            store: quote.store.map(Store::from),
            lines: quote.lines.into_iter().map(OrderLine::from).collect(),
            subtotal: quote.subtotal.into(),
            discount: quote.discount.into(),
            tax: quote.tax.into(),
            tip: quote.tip.into(),
            total: quote.total.into(),
            tax_rate_ppm: quote.tax_rate_ppm,
            eta: quote.eta.and_then(Eta::of),
            problems: quote.problems.into_iter().map(LineProblem::from).collect(),
            promo_reason: present(quote.promo_reason),
            promo_message: present(quote.promo_message),
            points: quote.points,
            make_seconds: quote.make_seconds,
        }
    }
}

/// What is needed to go on after a refusal.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuoteData {
    /// After PRICE_CHANGED and ETA_CHANGED: what placing the order now would cost, and when it would be ready.
    #[schema(required)]
    pub quote: Option<Quote>,
}

/// When an order is ready.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Eta {
    /// The instant.
    #[schema(format = DateTime)]
    pub ready_at: String,
    /// For a time that the consumer chose.
    pub scheduled: bool,
    /// IANA name of the store's time zone.
    pub time_zone: String,
}

impl Eta {
    pub(crate) fn of(eta: ordering::Eta) -> Option<Self> {
        let ready_at = present(eta.ready_at)?;
        Some(Self {
            ready_at,
            scheduled: eta.scheduled,
            time_zone: eta.time_zone,
        })
    }
}

/// One line as priced: names and prices as they were when it was.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderLine {
    /// The cart's.
    pub line_id: String,
    /// The item.
    pub item_id: String,
    /// Its name.
    pub item_name: String,
    /// Its size.
    pub size_id: String,
    /// The size's name.
    pub size_name: String,
    /// Drink or food.
    pub kind: ItemKind,
    /// Its drawing.
    pub art: Art,
    /// How many.
    pub quantity: u32,
    /// One, with its choices.
    pub unit_price: Money,
    /// What was chosen.
    pub choices: Vec<OrderChoice>,
    /// For the person who makes it.
    pub note: String,
    /// Unit price times quantity.
    pub amount: Money,
    /// This line's part of the discount.
    pub discount: Money,
}

impl From<ordering::QuoteLine> for OrderLine {
    fn from(quoted: ordering::QuoteLine) -> Self {
        let line = quoted.line.unwrap_or_default();
        Self {
            line_id: line.line_id,
            item_id: line.item_id,
            item_name: line.item_name,
            size_id: line.size_id,
            size_name: line.size_name,
            kind: ItemKind::of(&line.kind),
            art: Art::of(line.art),
            quantity: line.quantity,
            unit_price: line.unit_price.into(),
            choices: line.choices.into_iter().map(OrderChoice::from).collect(),
            note: line.note,
            amount: quoted.amount.into(),
            discount: quoted.discount.into(),
        }
    }
}

/// One choice of a line as priced.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderChoice {
    /// The group.
    pub modification_id: String,
    /// The group's name.
    pub modification_name: String,
    /// The choice.
    pub choice_id: String,
    /// The choice's name.
    pub choice_name: String,
    /// How many.
    pub quantity: u32,
    /// All of them, for one item.
    pub price: Money,
    /// What it does in the drawing.
    pub art_key: String,
    /// Chosen without being asked: left out of spoken summaries.
    pub is_default: bool,
}

impl From<stores::ResolvedChoice> for OrderChoice {
    fn from(choice: stores::ResolvedChoice) -> Self {
        Self {
            modification_id: choice.modification_id,
            modification_name: choice.modification_name,
            choice_id: choice.choice_id,
            choice_name: choice.choice_name,
            quantity: choice.quantity,
            price: choice.price.into(),
            art_key: choice.art_key,
            is_default: choice.is_default,
        }
    }
}

/// Why a line cannot be ordered.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LineProblem {
    /// The line.
    pub line_id: String,
    /// For code: ITEM_SOLD_OUT, CHOICE_LIMIT.
    pub reason: String,
    /// For the person.
    pub message: String,
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
