//! Claimed rewards of challenges, one row for each challenge and consumer.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ConsumerId;

/// A claim that was written or revoked.
#[derive(Debug, Clone)]
pub struct ClaimedReward {
    pub claim_id: i64,
    pub claim_count: i64,
    pub points: i64,
}

/// Inserts a claim, or renews a revoked one. Returns `None` if the consumer has claimed the challenge. Waits for
/// concurrent claims.
pub async fn insert(
    conn: &mut PgConnection,
    challenge_id: &str,
    consumer_id: ConsumerId,
    points: i64,
    at: Timestamp,
) -> sqlx::Result<Option<ClaimedReward>> {
    sqlx::query_as!(
        ClaimedReward,
        "INSERT INTO challenge_claims AS claims (challenge_id, consumer_id, points, claimed_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT challenge_claims_once
         DO UPDATE SET points = excluded.points, claimed_at = excluded.claimed_at, revoked_at = NULL,
                       claim_count = claims.claim_count + 1
         WHERE claims.revoked_at IS NOT NULL
         RETURNING claim_id, claim_count, points",
        challenge_id,
        consumer_id.uuid(),
        points,
        at.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// Revokes the consumer's claim of a challenge. Returns `None` if there is none.
pub async fn revoke(
    conn: &mut PgConnection,
    challenge_id: &str,
    consumer_id: ConsumerId,
    at: Timestamp,
) -> sqlx::Result<Option<ClaimedReward>> {
    sqlx::query_as!(
        ClaimedReward,
        "UPDATE challenge_claims SET revoked_at = $3
         WHERE challenge_id = $1 AND consumer_id = $2 AND revoked_at IS NULL
         RETURNING claim_id, claim_count, points",
        challenge_id,
        consumer_id.uuid(),
        at.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// Deletes all claims of the consumer.
pub async fn delete_all(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM challenge_claims WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(conn)
    .await
    .map(drop)
}
