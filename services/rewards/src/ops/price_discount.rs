//! What a promo code takes off for this consumer. Claims nothing.

use kit::InternalError;
use types::{ConsumerId, Money};

use crate::{
    Rewards, db,
    domain::{Discount, Promo, Verdict},
};

/// Prices a code as a consumer typed it.
///
/// # Errors
/// [`InternalError`]; a code that does not hold is an answer.
pub async fn price_discount(
    cx: &Rewards,
    consumer: ConsumerId,
    typed: &str,
    subtotal: Money,
) -> Result<Discount, InternalError> {
    let code = Promo::normalize(typed);
    let mut conn = cx.pool.acquire().await?;
    let Some(promo) = db::promos::find(&mut conn, &code).await? else {
        return Ok(Discount {
            code,
            kind: "",
            off: Err(Verdict::Unknown),
        });
    };
    let mut off = promo.discount(subtotal, cx.clock.now());
    if off.is_ok() && promo.once && db::claims::has_used(&mut conn, &code, consumer).await? {
        off = Err(Verdict::Used);
    }
    Ok(Discount {
        code,
        kind: promo.off.kind(),
        off,
    })
}
