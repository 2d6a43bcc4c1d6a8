use kit::InternalError;
use types::ConsumerId;

use crate::{Ordering, db::carts, domain::saved_cart::SavedCart};

pub async fn get_cart(cx: &Ordering, consumer_id: ConsumerId) -> Result<Option<SavedCart>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(carts::find(&mut conn, consumer_id).await?)
}
