use kit::InternalError;
use sqlx::PgConnection;
use types::{ConsumerId, Money};

use super::reward_points;
use crate::{
    Rewards,
    db::{claims, order_points, promo_failures, promos},
    domain::{
        promo::{Discount, FAILURE_WINDOW, MAX_FAILURES, OrderPlace, Promo},
        promo_error::PromoError,
    },
};

/// Calculates the discount of a code, as typed by the consumer, without claiming it. A code that does not apply is
/// not an error; the reason is in [`Discount::amount`]. After ten different wrong codes in an hour, all codes of the consumer are
/// rejected, so that codes cannot be guessed.
pub async fn price_discount(
    cx: &Rewards,
    consumer_id: ConsumerId,
    typed_code: &str,
    subtotal: Money,
    place: &OrderPlace,
) -> Result<Discount, InternalError> {
    let code = Promo::normalize_code(typed_code);
    let now = cx.clock.now();
    let since = now - FAILURE_WINDOW;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    promo_failures::lock(&mut tx, consumer_id).await?;
    if promo_failures::count_since(&mut tx, consumer_id, since).await? >= MAX_FAILURES {
        return Ok(Discount {
            code,
            rule: None,
            amount: Err(PromoError::TooManyAttempts),
        });
    }
    let Some(promo) = promos::find(&mut tx, &code).await? else {
        promo_failures::record(&mut tx, consumer_id, &code, since, now).await?;
        tx.commit().await?;
        return Ok(Discount::unknown_code(code));
    };
    let mut amount = promo.discount(subtotal, place.at(now, &cx.default_time_zone));
    if amount.is_ok()
        && let Some(max_claims) = promo.claim_limit()
        && is_limit_reached(&mut tx, &promo, consumer_id).await?
    {
        amount = Err(PromoError::Used { max_claims });
    }
    if amount.is_ok() && promo.is_first_app_order && order_points::has_app_order(&mut tx, consumer_id).await?
    {
        amount = Err(PromoError::NotFirstAppOrder);
    }
    if let Some(points) = promo.reward_points
        && amount.is_ok()
        && reward_points::balance(&mut tx, consumer_id).await? < points
    {
        amount = Err(PromoError::NotEnoughPoints);
    }
    Ok(Discount {
        code,
        rule: Some(promo.rule),
        amount,
    })
}

/// Returns whether the consumer has used the code as often as it allows. For a code that is allowed once, counts only the claims that
/// were made while it was.
async fn is_limit_reached(
    conn: &mut PgConnection,
    promo: &Promo,
    consumer_id: ConsumerId,
) -> sqlx::Result<bool> {
    match promo.max_claims_per_consumer {
        Some(max_claims) => Ok(claims::count_uses(conn, &promo.code, consumer_id).await? >= max_claims),
        None => claims::has_used(conn, &promo.code, consumer_id).await,
    }
}
