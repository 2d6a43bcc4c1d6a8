use kit::InternalError;
use types::ConsumerId;

use crate::{
    Rewards,
    db::{accounts, reward_tiers},
    domain::points::PointsSummary,
};

/// Returns the consumer's points and the rewards that they can be exchanged for.
pub async fn get_points(cx: &Rewards, consumer_id: ConsumerId) -> Result<PointsSummary, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let balance = match accounts::find_points(&mut conn, consumer_id).await? {
        Some(account) => ledger::account::balance(&mut conn, account).await?,
        None => None,
    };
    Ok(PointsSummary {
        balance: balance.unwrap_or_default(),
        tiers: reward_tiers::list(&mut conn).await?,
        points_per_unit: cx.rules.points_per_unit,
    })
}
