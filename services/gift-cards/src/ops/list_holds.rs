use kit::InternalError;

use crate::{
    GiftCards,
    db::holds,
    domain::hold::{ListHolds, ListedHold},
};

/// Lists a page of holds.
pub async fn list_holds(cx: &GiftCards, request: &ListHolds) -> Result<Vec<ListedHold>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    holds::list(&mut conn, request).await
}
