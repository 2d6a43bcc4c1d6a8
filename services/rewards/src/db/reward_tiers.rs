//! Rewards that points can be exchanged for.

use sqlx::PgConnection;

use crate::domain::points::{RewardTier, reward_code};

/// Returns all tiers, cheapest first.
pub async fn list(conn: &mut PgConnection) -> sqlx::Result<Vec<RewardTier>> {
    sqlx::query_as!(
        RewardTier,
        r#"SELECT tier.points, tier.title, promo.code AS "code?"
           FROM reward_tiers AS tier LEFT JOIN promos AS promo ON promo.reward_points = tier.points
           ORDER BY tier.points"#
    )
    .fetch_all(conn)
    .await
}

/// Inserts or replaces a tier of the catalog with its code, and returns `true`. Returns `false` if the tier with these points
/// belongs to another catalog, or its code is that of a promo. `amount` is in cents.
pub async fn upsert(
    conn: &mut PgConnection,
    catalog: &str,
    points: i64,
    title: &str,
    amount: i64,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO reward_tiers (points, catalog, title, amount) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT reward_tiers_pkey
         DO UPDATE SET catalog = excluded.catalog, title = excluded.title, amount = excluded.amount
         WHERE coalesce(reward_tiers.catalog, excluded.catalog) = excluded.catalog",
        points,
        catalog,
        title,
        amount,
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() != 1 {
        return Ok(false);
    }
    let done = sqlx::query!(
        "INSERT INTO promos (code, catalog, amount, once, starts_at, reward_points)
         VALUES ($1, $2, $3, false, '2026-01-01', $4)
         ON CONFLICT ON CONSTRAINT promos_pkey
         DO UPDATE SET catalog = excluded.catalog, amount = excluded.amount
         WHERE promos.reward_points = excluded.reward_points",
        reward_code(points),
        catalog,
        amount,
        points,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes the tiers of the catalog that are not among these.
pub async fn delete_others(conn: &mut PgConnection, catalog: &str, points: &[i64]) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM reward_tiers WHERE catalog = $1 AND NOT points = ANY($2)",
        catalog,
        points,
    )
    .execute(conn)
    .await
    .map(drop)
}
