use jiff::Timestamp;
use kit::InternalError;
use types::ConsumerId;

use crate::{Ordering, db::carts, domain::cart::CartDraft};

/// Returns the consumer's saved cart and when it was saved.
pub async fn get_cart(
    cx: &Ordering,
    consumer_id: ConsumerId,
) -> Result<Option<(CartDraft, Timestamp)>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(carts::find(&mut conn, consumer_id).await?)
}
