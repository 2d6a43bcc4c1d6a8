use kit::InternalError;
use types::{ConsumerId, points::order_rate};

use super::reward_points;
use crate::{Rewards, db::reward_tiers, domain::points::PointsSummary};

/// Returns the consumer's points, the rewards that they can be exchanged for, and the points that orders earn.
pub async fn get_points(
    cx: &Rewards,
    consumer_id: ConsumerId,
    is_in_app: bool,
) -> Result<PointsSummary, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(PointsSummary {
        balance: reward_points::balance(&mut conn, consumer_id).await?,
        tiers: reward_tiers::list(&mut conn).await?,
        points_per_unit: order_rate(cx.rules.points_per_dollar, is_in_app),
    })
}
