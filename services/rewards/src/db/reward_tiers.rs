//! Rewards that points can be exchanged for.

use sqlx::PgConnection;

use crate::domain::{
    catalog::{Catalog, CatalogTier},
    points::{RewardTier, reward_code},
};

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
/// belongs to another catalog, or its code is that of a promo.
pub async fn upsert(conn: &mut PgConnection, catalog: &Catalog, tier: &CatalogTier) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO reward_tiers (points, catalog, title, amount) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT reward_tiers_pkey
         DO UPDATE SET catalog = excluded.catalog, title = excluded.title, amount = excluded.amount
         WHERE coalesce(reward_tiers.catalog, excluded.catalog) = excluded.catalog",
        tier.points,
        catalog.name,
        tier.title,
        tier.amount,
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() != 1 {
        return Ok(false);
    }
    let done = sqlx::query!(
        "INSERT INTO promos (code, catalog, amount, once, starts_at, reward_points, company_id, company_name)
         VALUES ($1, $2, $3, false, '2026-01-01', $4, $5, $6)
         ON CONFLICT ON CONSTRAINT promos_pkey
         DO UPDATE SET catalog = excluded.catalog, amount = excluded.amount,
                       company_id = excluded.company_id, company_name = excluded.company_name
         WHERE promos.reward_points = excluded.reward_points",
        reward_code(tier.points),
        catalog.name,
        tier.amount,
        tier.points,
        catalog.company.as_ref().map(|company| company.id.uuid()),
        catalog.company.as_ref().map(|company| company.name.as_str()),
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
