//! Points and rewards.

use proto::rewards::v1 as rewards;
use serde::Serialize;
use utoipa::ToSchema;

use super::{convert_all, non_empty};

/// The points balance and the rewards that points can be exchanged for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Points {
    pub(crate) balance: i64,
    /// Cheapest first.
    pub(crate) tiers: Vec<RewardTier>,
    /// Points that an order earns per whole dollar: twice as many in the native app.
    pub(crate) points_per_unit: i64,
}

impl From<rewards::Points> for Points {
    fn from(points: rewards::Points) -> Self {
        Self {
            balance: points.balance,
            tiers: convert_all(points.tiers),
            points_per_unit: points.points_per_unit,
        }
    }
}

/// A reward and its price in points.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RewardTier {
    pub(crate) points: i64,
    /// "A free drink up to $6".
    pub(crate) title: String,
    /// Promo code with which the reward is used at checkout; null if it cannot be used.
    #[schema(required)]
    pub(crate) code: Option<String>,
}

impl From<rewards::RewardTier> for RewardTier {
    fn from(tier: rewards::RewardTier) -> Self {
        Self {
            points: tier.points,
            title: tier.title,
            code: non_empty(tier.code),
        }
    }
}

/// A page of the points ledger, with the points balance.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Rewards {
    pub(crate) points: Points,
    /// Newest first.
    pub(crate) entries: Vec<PointEntry>,
}

/// An entry of the points ledger.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PointEntry {
    pub(crate) entry_id: String,
    /// Positive if earned, negative if spent or reversed.
    pub(crate) points: i64,
    pub(crate) balance_after: i64,
    /// A sentence for the consumer.
    pub(crate) title: String,
    #[schema(format = DateTime)]
    pub(crate) at: String,
    /// The order that earned the points.
    #[schema(required)]
    pub(crate) order_id: Option<String>,
}

impl From<rewards::PointEntry> for PointEntry {
    fn from(entry: rewards::PointEntry) -> Self {
        Self {
            entry_id: entry.entry_id,
            points: entry.points,
            balance_after: entry.balance_after,
            title: entry.title,
            at: entry.at,
            order_id: non_empty(entry.order_id),
        }
    }
}
