//! Points and what they can be turned into.

use proto::rewards::v1 as rewards;
use serde::Serialize;
use utoipa::ToSchema;

use super::present;

/// Points to spend.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Points {
    /// How many.
    pub balance: i64,
    /// What they can be turned into, cheapest first.
    pub tiers: Vec<RewardTier>,
    /// What one whole dollar earns.
    pub points_per_unit: i64,
}

impl From<rewards::Points> for Points {
    fn from(points: rewards::Points) -> Self {
        Self {
            balance: points.balance,
            tiers: points.tiers.into_iter().map(RewardTier::from).collect(),
            points_per_unit: points.points_per_unit,
        }
    }
}

/// A reward and what it takes.
#[derive(Debug, Serialize, ToSchema)]
pub struct RewardTier {
    /// So many points.
    pub points: i64,
    /// "A free drink up to $6".
    pub title: String,
}

impl From<rewards::RewardTier> for RewardTier {
    fn from(tier: rewards::RewardTier) -> Self {
        Self {
            points: tier.points,
            title: tier.title,
        }
    }
}

/// The points ledger, with what the points can be turned into.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rewards {
    /// Points to spend.
    pub points: Points,
    /// Newest first.
    pub entries: Vec<PointEntry>,
}

/// One movement of points.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PointEntry {
    /// Its id.
    pub entry_id: String,
    /// Signed.
    pub points: i64,
    /// What was there after it.
    pub balance_after: i64,
    /// A sentence.
    pub title: String,
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
    /// The order that earned them.
    #[schema(required)]
    pub order_id: Option<String>,
}

impl From<rewards::PointEntry> for PointEntry {
    fn from(entry: rewards::PointEntry) -> Self {
        Self {
            entry_id: entry.entry_id,
            points: entry.points,
            balance_after: entry.balance_after,
            title: entry.title,
            at: entry.at,
            order_id: present(entry.order_id),
        }
    }
}
