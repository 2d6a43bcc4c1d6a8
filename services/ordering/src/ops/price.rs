//! Prices a cart as placing it now would.

use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError};
use proto::{
    ordering::v1 as pb,
    rewards::v1::{Discount, PriceDiscountRequest},
    stores::v1::{LineProblem, ResolveLinesRequest, Store},
};
use types::{ConsumerId, Money, StoreId};

use crate::{
    Ordering, convert,
    domain::{
        cart::{Line, Pickup},
        pricing::{PricingError, Totals, totals},
    },
    ops::cart_limits,
};

/// Why a cart has no price.
#[derive(Debug, thiserror::Error)]
pub enum PriceError {
    /// Nothing in it.
    #[error("the cart is empty")]
    Empty,
    /// Something in it cannot be read.
    #[error("malformed {0}")]
    Malformed(&'static str),
    /// The tip is below nothing or above what we take.
    #[error("tip out of range")]
    TipOutOfRange,
    /// The store does not bring orders to cars.
    #[error("no curbside at this store")]
    NoCurbside,
    /// Another service refused, or something broke.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(PriceError);

impl From<PriceError> for ServiceError {
    fn from(error: PriceError) -> Self {
        match error {
            PriceError::Empty => Self::new(ErrorCode::RuleViolation, "CART_EMPTY", "Your cart is empty.")
                .with_field("cart.lines"),
            PriceError::Malformed(field) => Self::new(
                ErrorCode::InvalidRequest,
                "MALFORMED",
                "This request cannot be read.",
            )
            .with_field(field),
            PriceError::TipOutOfRange => Self::new(
                ErrorCode::RuleViolation,
                "TIP_OUT_OF_RANGE",
                "Please choose a smaller tip.",
            )
            .with_field("cart.tipAmount"),
            PriceError::NoCurbside => Self::new(
                ErrorCode::RuleViolation,
                "CURBSIDE_UNAVAILABLE",
                "This store does not bring orders to the car.",
            )
            .with_field("cart.pickup"),
            PriceError::Internal(fault) => fault.into(),
        }
    }
}

/// A cart with its price.
#[derive(Debug)]
pub struct Priced {
    /// The store.
    pub store: Store,
    /// What can be ordered.
    pub lines: Vec<Line>,
    /// What cannot.
    pub problems: Vec<LineProblem>,
    /// The sums of what can.
    pub totals: Totals,
    /// What the promo code gives, where there is one.
    pub promo: Option<Discount>,
    /// When it would be ready.
    pub ready_at: Timestamp,
    /// Whether a time was asked for.
    pub pickup_at: Option<Timestamp>,
    /// Seconds of making.
    pub make_seconds: u32,
}

/// Prices a cart: items and tax from stores, the promo from rewards. Nothing is reserved.
///
/// # Errors
/// [`PriceError`]; what stores refuse (`STORE_CLOSED`, `STORE_UNKNOWN`, …) is passed on.
pub async fn price(cx: &Ordering, consumer: ConsumerId, cart: &pb::Cart) -> Result<Priced, PriceError> {
    if cart.lines.is_empty() {
        return Err(PriceError::Empty);
    }
    cart_limits::ids(cart).map_err(PriceError::Malformed)?;
    let _: StoreId = cart
        .store_id
        .parse()
        .map_err(|_| PriceError::Malformed("cart.storeId"))?;
    let pickup_at = read_instant(&cart.pickup_at).ok_or(PriceError::Malformed("cart.pickupAt"))?;
    let request = ResolveLinesRequest {
        store_id: cart.store_id.clone(),
        lines: cart.lines.clone(),
        pickup_at: cart.pickup_at.clone(),
    };
    let resolved = cx.clients.stores().resolve_lines(request).await?.into_inner();
    let store = resolved
        .store
        .ok_or_else(|| InternalError::broken("stores resolved lines without a store"))?;
    if convert::pickup(cart.pickup()) == Pickup::Curbside && !store.curbside {
        return Err(PriceError::NoCurbside);
    }
    let mut lines: Vec<Line> = resolved.lines.into_iter().map(convert::line).collect();
    let amounts: Vec<Money> = lines.iter().map(|line| Money::usd(line.amount)).collect();
    let subtotal = Money::usd(
        amounts
            .iter()
            .map(|amount| amount.minor_units())
            .fold(0, i64::saturating_add),
    );
    let promo = price_promo(cx, consumer, cart, subtotal).await?;
    let discount = promo
        .as_ref()
        .and_then(|promo| promo.amount.as_ref())
        .map_or(0, |amount| amount.minor_units);
    let totals = totals(
        &amounts,
        Money::usd(discount),
        store.tax_rate_ppm,
        Money::usd(cart.tip_minor_units),
        cx.rules.points_per_dollar,
    )
    .map_err(|error| match error {
        PricingError::TipOutOfRange => PriceError::TipOutOfRange,
        PricingError::Money(error) => PriceError::Internal(InternalError::broken(error)),
    })?;
    for (line, discount) in lines.iter_mut().zip(&totals.line_discounts) {
        line.discount = discount.minor_units();
    }
    let ready_at = resolved
        .ready_at
        .parse()
        .map_err(|_| InternalError::broken("stores promised no time"))?;
    Ok(Priced {
        store,
        lines,
        problems: resolved.problems,
        totals,
        promo,
        ready_at,
        pickup_at,
        make_seconds: resolved.make_seconds,
    })
}

async fn price_promo(
    cx: &Ordering,
    consumer: ConsumerId,
    cart: &pb::Cart,
    subtotal: Money,
) -> Result<Option<Discount>, PriceError> {
    if cart.promo_code.is_empty() {
        return Ok(None);
    }
    let request = PriceDiscountRequest {
        consumer_id: consumer.to_string(),
        code: cart.promo_code.clone(),
        subtotal: Some(convert::money(subtotal)),
        store_id: cart.store_id.clone(),
    };
    Ok(Some(
        cx.clients.rewards().price_discount(request).await?.into_inner(),
    ))
}

/// An instant; `Some(None)` where there is none, `None` where it cannot be read.
fn read_instant(text: &str) -> Option<Option<Timestamp>> {
    if text.is_empty() {
        Some(None)
    } else {
        text.parse().ok().map(Some)
    }
}

impl Priced {
    /// As the consumer sees it.
    #[must_use]
    pub fn into_quote(self) -> pb::Quote {
        let (reason, message) = self
            .promo
            .map(|promo| (promo.reason, promo.message))
            .unwrap_or_default();
        let mut quote = pb::Quote {
            lines: self.lines.iter().map(convert::quote_line).collect(),
            tax_rate_ppm: self.store.tax_rate_ppm,
            eta: Some(pb::Eta {
                ready_at: self.ready_at.to_string(),
                scheduled: self.pickup_at.is_some(),
                time_zone: self.store.time_zone.clone(),
            }),
            problems: self.problems,
            promo_reason: reason,
            promo_message: message,
            make_seconds: self.make_seconds,
            store: Some(self.store),
            ..Default::default()
        };
        convert::fill_totals(&mut quote, &self.totals);
        quote
    }
}
