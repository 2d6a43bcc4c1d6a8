//! Challenges.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::InternalError;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::domain::challenge::{Challenge, ChallengeRules, OrderCounts};

/// Returns the challenge with this id, or all challenges that have started, with the consumer's progress. The challenges
/// that end first are first.
pub async fn list(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    challenge_id: Option<&str>,
    now: Timestamp,
) -> Result<Vec<Challenge>, InternalError> {
    let rows = sqlx::query!(
        r#"SELECT challenge_id, title, body, goal, target, points, starts_at, ends_at,
                  counts.orders AS "orders!", counts.stores AS "stores!", counts.spend AS "spend!",
                  (
                      SELECT claimed_at FROM challenge_claims claims
                      WHERE claims.challenge_id = challenges.challenge_id AND claims.consumer_id = $1
                        AND revoked_at IS NULL
                  ) AS claimed_at
           FROM challenges CROSS JOIN LATERAL (
               SELECT count(*) AS orders, count(DISTINCT store_id) AS stores,
                      coalesce(sum(greatest(earning - refunded, 0)), 0)::bigint AS spend
               FROM order_points
               WHERE consumer_id = $1 AND completed_at >= starts_at AND completed_at < ends_at
                 AND NOT is_unpaid
                 AND (earning > refunded OR earning = 0 AND (coalesce(total, 0) = 0 OR total > refunded))
           ) counts
           WHERE ($2::text IS NULL OR challenge_id = $2) AND starts_at <= $3
           ORDER BY ends_at, challenge_id"#,
        consumer_id.uuid(),
        challenge_id,
        now.to_sqlx(),
    )
    .fetch_all(conn)
    .await?;
    let challenges = rows.into_iter().map(|row| {
        Ok(Challenge {
            rules: ChallengeRules {
                id: row.challenge_id,
                title: row.title,
                body: row.body,
                goal: row.goal.parse().map_err(InternalError::invariant_violated)?,
                target: row.target,
                points: row.points,
                starts_at: row.starts_at.into(),
                ends_at: row.ends_at.into(),
            },
            counts: OrderCounts {
                orders: row.orders,
                stores: row.stores,
                spend: row.spend,
            },
            claimed_at: row.claimed_at.map(jiff_sqlx::Timestamp::to_jiff),
        })
    });
    challenges.collect()
}

/// Inserts or replaces a challenge of the catalog and returns `true`. Returns `false` if the id belongs to another
/// catalog, or the goal, the target or the start changes, or the end is earlier, after consumers have claimed it: their orders
/// could no longer complete it, so that a later refund would revoke the reward.
pub async fn upsert(
    conn: &mut PgConnection,
    catalog: &str,
    challenge: &ChallengeRules,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO challenges (challenge_id, catalog, title, body, goal, target, points, starts_at, ends_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT ON CONSTRAINT challenges_pkey
         DO UPDATE SET title = excluded.title, body = excluded.body, goal = excluded.goal, target = excluded.target,
                       points = excluded.points, starts_at = excluded.starts_at, ends_at = excluded.ends_at
         WHERE challenges.catalog = excluded.catalog
           AND ((challenges.goal, challenges.target, challenges.starts_at) = (excluded.goal, excluded.target, excluded.starts_at)
                AND challenges.ends_at <= excluded.ends_at OR NOT EXISTS (
               SELECT FROM challenge_claims claims WHERE claims.challenge_id = challenges.challenge_id))",
        challenge.id,
        catalog,
        challenge.title,
        challenge.body,
        challenge.goal.as_str(),
        challenge.target,
        challenge.points,
        challenge.starts_at.to_sqlx(),
        challenge.ends_at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes the challenges of the catalog that are not among these. Those with claims end instead.
pub async fn delete_others(
    conn: &mut PgConnection,
    catalog: &str,
    challenge_ids: &[String],
    now: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM challenges WHERE catalog = $1 AND NOT challenge_id = ANY($2)
           AND NOT EXISTS (SELECT FROM challenge_claims claims WHERE claims.challenge_id = challenges.challenge_id)",
        catalog,
        challenge_ids,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "UPDATE challenges SET ends_at = least(ends_at, $3)
         WHERE catalog = $1 AND NOT challenge_id = ANY($2) AND starts_at < $3",
        catalog,
        challenge_ids,
        now.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}
