use kit::InternalError;
use types::ConsumerId;

use crate::{
    GiftCards,
    db::{accounts, holds},
    domain::wallet::Balance,
};

/// Returns the consumer's JoePass balance and opens it on first use. `None` if the consumer was removed.
pub async fn get_wallet(cx: &GiftCards, consumer_id: ConsumerId) -> Result<Option<Balance>, InternalError> {
    let mut tx = cx.pool.begin().await?;
    let Some(account) = accounts::open_joepass(&mut tx, consumer_id, cx.clock.now()).await? else {
        return Ok(None);
    };
    let id = accounts::balance_id(account);
    let available = accounts::available(&mut tx, account).await?;
    let held = holds::total_held(&mut tx, id).await?;
    tx.commit().await?;
    Ok(Some(Balance { id, available, held }))
}
