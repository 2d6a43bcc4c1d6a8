//! What points can be turned into.

use sqlx::PgConnection;

/// A reward and what it takes.
pub struct Tier {
    pub points: i64,
    pub title: String,
}

/// All tiers, the cheapest first.
pub async fn list(conn: &mut PgConnection) -> sqlx::Result<Vec<Tier>> {
    sqlx::query_as!(Tier, "SELECT points, title FROM reward_tiers ORDER BY points")
        .fetch_all(conn)
        .await
}

/// Writes a tier, or its new title.
pub async fn put(conn: &mut PgConnection, points: i64, title: &str) -> sqlx::Result<()> {
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
