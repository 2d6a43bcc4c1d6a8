use kit::InternalError;
use types::ConsumerId;

use super::wallet::{list_sources, read_balances};
use crate::{GiftCards, db::accounts, domain::wallet::Balance};

/// Returns the consumer's balances, JoePass first, and opens JoePass on first use. Empty if the consumer was removed.
pub async fn get_wallet(cx: &GiftCards, consumer_id: ConsumerId) -> Result<Vec<Balance>, InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    if accounts::open_joepass(&mut tx, consumer_id, cx.clock.now())
        .await?
        .is_none()
    {
        return Ok(Vec::new());
    }
    let sources = list_sources(&mut tx, consumer_id).await?;
    let balances = read_balances(&mut tx, consumer_id, sources).await?;
    tx.commit().await?;
    Ok(balances)
}
