//! Quotes: prices of carts.

use jiff::Timestamp;
use types::{ConsumerId, Money, StoreId};

use super::{journey_step::JourneyStep, line::OrderLine, pricing::Totals, store::Store};

/// The price of a cart if it were ordered now.
#[derive(Debug, Clone, PartialEq)]
pub struct Quote {
    pub store: Store,
    pub lines: Vec<OrderLine>,
    /// Lines that cannot be ordered; excluded from the totals.
    pub problems: Vec<LineProblem>,
    pub totals: Totals,
    /// Why the promo code does not apply.
    pub promo_rejection: Option<PromoRejection>,
    pub ready_at: Timestamp,
    /// Requested ready time; as soon as possible if absent.
    pub pickup_at: Option<Timestamp>,
    pub make_seconds: u32,
}

/// The reason for which a line, or the whole cart, cannot be ordered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineProblem {
    /// Empty if the problem concerns the store and the time.
    pub line_id: String,
    /// Reason code.
    pub reason: String,
    /// A sentence for the consumer.
    pub message: String,
}

/// A cart's lines, priced by the menu.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedLines {
    pub store: Store,
    /// Without discounts.
    pub lines: Vec<OrderLine>,
    pub problems: Vec<LineProblem>,
    pub make_seconds: u32,
    /// The ready time if the order were placed now.
    pub ready_at: Timestamp,
}

/// A request to price a promo code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscountRequest<'a> {
    pub consumer_id: ConsumerId,
    pub journey_step: JourneyStep,
    pub store_id: StoreId,
    /// The company of the store.
    pub company_id: &'a str,
    /// IANA time zone of the store.
    pub time_zone: &'a str,
    pub promo_code: &'a str,
    pub subtotal: Money,
    /// As in [`crate::domain::line::drink_price`].
    pub drink_price: Option<Money>,
}

/// The effect of a promo code on a cart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discount {
    pub amount: Money,
    /// Why the code does not apply; the amount is then zero.
    pub rejection: Option<PromoRejection>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromoRejection {
    /// Reason code.
    pub reason: String,
    /// A sentence for the consumer.
    pub message: String,
}

/// Capacity of a store that is reserved for an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reservation {
    pub ready_at: Timestamp,
    /// When the store has to start making the order.
    pub start_at: Timestamp,
}
