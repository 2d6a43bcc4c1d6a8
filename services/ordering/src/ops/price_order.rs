//! Prices a cart as if it were ordered now.

use kit::{ErrorCode, InternalError, ServiceError};
use types::{ConsumerId, Money, MoneyError, points::order_rate};

use crate::{
    Ordering,
    domain::{
        cart::{Cart, CartDraft, CartError, Pickup},
        journey_step::JourneyStep,
        line::drink_price,
        pricing::{PricingError, spread_discount, totals},
        quote::{Discount, DiscountRequest, Quote},
    },
    errors::tip_too_large,
};

#[derive(Debug, thiserror::Error)]
pub enum PriceOrderError {
    #[error(transparent)]
    Cart(#[from] CartError),
    #[error("tip out of range")]
    TipOutOfRange,
    #[error("the store has no curbside pickup")]
    CurbsideUnavailable,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(PriceOrderError);

impl From<PriceOrderError> for ServiceError {
    fn from(error: PriceOrderError) -> Self {
        match error {
            PriceOrderError::Cart(error) => error.into(),
            PriceOrderError::TipOutOfRange => tip_too_large(),
            PriceOrderError::CurbsideUnavailable => Self::new(
                ErrorCode::RuleViolation,
                "CURBSIDE_UNAVAILABLE",
                "This store doesn't offer curbside pickup.",
            )
            .with_field("cart.pickup"),
            PriceOrderError::Internal(error) => error.into(),
        }
    }
}

/// Prices a cart: items and tax from stores, the promo code from rewards. Nothing is reserved.
///
/// # Errors
/// `ORDER_TOO_LARGE` above the number of items that one order may have. Errors of stores (`STORE_CLOSED`, `STORE_UNKNOWN`, …) are
/// returned unchanged.
pub async fn price_order(
    cx: &Ordering,
    consumer_id: ConsumerId,
    journey_step: JourneyStep,
    cart: CartDraft,
) -> Result<Quote, PriceOrderError> {
    let cart = cart.parse()?;
    cart.check_size(cx.rules.order_max_items)?;
    price_cart(cx, consumer_id, journey_step, &cart).await
}

pub(super) async fn price_cart(
    cx: &Ordering,
    consumer_id: ConsumerId,
    journey_step: JourneyStep,
    cart: &Cart,
) -> Result<Quote, PriceOrderError> {
    let resolved = cx
        .clients
        .stores
        .resolve_lines(cart.store_id, cart.lines.clone(), cart.pickup_at)
        .await?;
    if cart.pickup == Pickup::Curbside && !resolved.store.has_curbside {
        return Err(PriceOrderError::CurbsideUnavailable);
    }
    let mut lines = resolved.lines;
    let line_amounts: Vec<Money> = lines.iter().map(|line| line.amount).collect();
    let request = DiscountRequest {
        consumer_id,
        journey_step,
        store_id: cart.store_id,
        company_id: &resolved.store.company_id,
        time_zone: &resolved.store.time_zone,
        promo_code: &cart.promo_code,
        subtotal: sum(&line_amounts).map_err(InternalError::invariant_violated)?,
        drink_price: drink_price(&lines),
    };
    let discount = price_discount(cx, request).await?;
    let totals = totals(
        &line_amounts,
        discount.amount,
        resolved.store.tax_rate_ppm,
        Money::usd(cart.tip_minor_units),
        order_rate(cx.rules.points_per_dollar, journey_step == JourneyStep::App),
    )
    .map_err(|error| match error {
        PricingError::TipOutOfRange => PriceOrderError::TipOutOfRange,
        PricingError::Money(error) => InternalError::invariant_violated(error).into(),
    })?;
    let shares = spread_discount(totals.discount, &line_amounts);
    for (line, share) in lines.iter_mut().zip(shares) {
        line.discount = share;
    }
    Ok(Quote {
        store: resolved.store,
        lines,
        problems: resolved.problems,
        totals,
        promo_rejection: discount.rejection,
        ready_at: resolved.ready_at,
        pickup_at: cart.pickup_at,
        make_seconds: resolved.make_seconds,
    })
}

async fn price_discount(cx: &Ordering, request: DiscountRequest<'_>) -> Result<Discount, InternalError> {
    if request.promo_code.is_empty() {
        return Ok(Discount {
            amount: Money::ZERO,
            rejection: None,
        });
    }
    cx.clients.rewards.price_discount(request).await
}

fn sum(amounts: &[Money]) -> Result<Money, MoneyError> {
    amounts
        .iter()
        .try_fold(Money::ZERO, |sum, &amount| sum.plus(amount))
}
