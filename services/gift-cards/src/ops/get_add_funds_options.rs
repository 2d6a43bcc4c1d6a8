use kit::InternalError;
use types::{ConsumerId, Money};

use crate::{
    GiftCards,
    db::auto_reload,
    domain::{auto_reload::AutoReload, wallet::AddFundsOptions},
};

/// Returns what the consumer can add, and the rule for automatic reloads.
pub async fn get_add_funds_options(
    cx: &GiftCards,
    consumer_id: ConsumerId,
) -> Result<AddFundsOptions, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let rule: Option<AutoReload> = auto_reload::find(&mut conn, consumer_id).await?;
    let presets = cx.rules.add_funds_presets_cents.iter();
    Ok(AddFundsOptions {
        presets: presets.map(|cents| Money::usd(*cents)).collect(),
        minimum: cx.rules.minimum(),
        maximum: cx.rules.maximum(),
        auto_reload: rule.map(|rule| rule.without_ended_pause(cx.clock.now())),
    })
}
