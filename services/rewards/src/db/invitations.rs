//! Who invited whom, and the orders that the invitations were rewarded for.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, OrderId};

use crate::domain::invitation::{Invitation, InvitationReward};

/// Inserts an invitation. Does nothing if the friend, or the phone number, was invited before.
pub async fn insert(
    conn: &mut PgConnection,
    friend_id: ConsumerId,
    phone_hash: Option<&str>,
    referrer_id: ConsumerId,
    at: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO invitations (friend_id, phone_hash, referrer_id, invited_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING",
        friend_id.uuid(),
        phone_hash,
        referrer_id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Returns the invitation of a friend, locked until the transaction ends.
pub async fn lock(conn: &mut PgConnection, friend_id: ConsumerId) -> sqlx::Result<Option<Invitation>> {
    let row = sqlx::query!(
        "SELECT invitation_id, referrer_id, order_id, referrer_points, friend_points FROM invitations
         WHERE friend_id = $1 FOR NO KEY UPDATE",
        friend_id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| Invitation {
        id: row.invitation_id,
        friend_id,
        referrer_id: row.referrer_id,
        order_id: row.order_id,
        reward: InvitationReward {
            referrer_points: row.referrer_points,
            friend_points: row.friend_points,
        },
    }))
}

/// Sets the order that a locked invitation was rewarded for, and the points; `None` after the reward was revoked.
pub async fn set_reward(
    conn: &mut PgConnection,
    invitation_id: i64,
    order_id: Option<OrderId>,
    reward: InvitationReward,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE invitations SET order_id = $2, referrer_points = $3, friend_points = $4 WHERE invitation_id = $1",
        invitation_id,
        order_id.map(OrderId::uuid),
        reward.referrer_points,
        reward.friend_points,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Removes the consumer from all invitations. The phone number's hash stays, so that the number is invited once.
pub async fn anonymize(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE invitations SET friend_id = nullif(friend_id, $1), referrer_id = nullif(referrer_id, $1)
         WHERE friend_id = $1 OR referrer_id = $1",
        consumer_id.uuid(),
    )
    .execute(conn)
    .await
    .map(drop)
}
