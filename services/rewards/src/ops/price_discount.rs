use kit::InternalError;
use types::{ConsumerId, Money};

use crate::{
    Rewards,
    db::{claims, promos},
    domain::promo::{Discount, Promo, PromoError},
};

/// Calculates the discount of a code, as typed by the consumer, without claiming it. A code that does not apply is
/// not an error; the reason is in [`Discount::amount`].
pub async fn price_discount(
    cx: &Rewards,
    consumer_id: ConsumerId,
    typed_code: &str,
    subtotal: Money,
) -> Result<Discount, InternalError> {
    let code = Promo::normalize_code(typed_code);
    let mut conn = cx.pool.acquire().await?;
    let Some(promo) = promos::find(&mut conn, &code).await? else {
        return Ok(Discount::unknown_code(code));
    };
    let mut amount = promo.discount(subtotal, cx.clock.now());
    if amount.is_ok() && promo.once_per_consumer && claims::has_used(&mut conn, &code, consumer_id).await? {
        amount = Err(PromoError::Used);
    }
    Ok(Discount {
        code,
        rule: Some(promo.rule),
        amount,
    })
}
