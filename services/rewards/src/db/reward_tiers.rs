//! Rewards that points can be exchanged for.

use sqlx::PgConnection;

use crate::domain::points::RewardTier;

/// Returns all tiers, cheapest first.
pub async fn list(conn: &mut PgConnection) -> sqlx::Result<Vec<RewardTier>> {
    sqlx::query_as!(
        RewardTier,
        "SELECT points, title FROM reward_tiers ORDER BY points"
    )
    .fetch_all(conn)
    .await
}

/// Inserts a tier, or updates the title of the tier with these points.
pub async fn upsert(conn: &mut PgConnection, points: i64, title: &str) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO reward_tiers (points, title) VALUES ($1, $2)
         ON CONFLICT ON CONSTRAINT reward_tiers_pkey DO UPDATE SET title = excluded.title",
        points,
        title,
    )
    .execute(conn)
    .await
    .map(drop)
}
