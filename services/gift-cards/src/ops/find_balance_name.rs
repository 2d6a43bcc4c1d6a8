use kit::InternalError;
use types::{BalanceId, ConsumerId};

use super::wallet::list_sources;
use crate::{
    GiftCards,
    db::accounts::{self, balance_id},
    domain::wallet::BalanceSource,
};

/// Returns the name of a balance, or `None` if the consumer has no such balance. Reads one row for JoePass, which pays most orders
/// with stored value.
pub(crate) async fn find_balance_name(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    id: &str,
) -> Result<Option<String>, InternalError> {
    let Ok(id) = id.parse::<BalanceId>() else {
        return Ok(None);
    };
    let mut conn = cx.pool.acquire().await?;
    let joepass = accounts::find_joepass(&mut conn, consumer_id).await?;
    if joepass.map(balance_id) == Some(id) {
        return Ok(Some(BalanceSource::JoePass.name()));
    }
    let sources = list_sources(&mut conn, consumer_id).await?;
    let found = sources.into_iter().find(|(source_id, _)| *source_id == id);
    Ok(found.map(|(_, source)| source.name()))
}
