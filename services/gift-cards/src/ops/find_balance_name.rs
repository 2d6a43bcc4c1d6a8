use kit::InternalError;
use types::{BalanceId, ConsumerId};

use super::wallet::list_sources;
use crate::{
    GiftCards,
    db::{accounts::balance_id, hold_step},
    domain::wallet::BalanceSource,
};

/// Returns the name of a balance, or `None` if the consumer has no such balance. Reads one row for JoePass:
/// every order that is paid with stored value needs it, and then holds from the balance.
pub(crate) async fn find_balance_name(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    id: &str,
) -> Result<Option<String>, InternalError> {
    let Ok(id) = id.parse::<BalanceId>() else {
        return Ok(None);
    };
    let mut conn = cx.pool.acquire().await?;
    if let Some(joepass) = hold_step::read_joepass(&mut conn, consumer_id).await?
        && balance_id(joepass.account) == id
    {
        cx.recent_balances.insert(consumer_id, joepass);
        return Ok(Some(BalanceSource::JoePass.name()));
    }
    let sources = list_sources(&mut conn, consumer_id).await?;
    let found = sources.into_iter().find(|(source_id, _)| *source_id == id);
    Ok(found.map(|(_, source)| source.name()))
}
