use jiff::Timestamp;
use kit::InternalError;
use ledger::{AccountId, Overdraft, Posting, Unit};
use sqlx::PgConnection;
use types::{ConsumerId, OrderId};

use super::add_inbox_message::add_inbox_message;
use crate::{
    config::Rules,
    db::{
        accounts::{self, EARNED},
        consumers, invitations, order_points,
    },
    domain::{
        inbox::NewMessage,
        invitation::{Invitation, InvitationReward},
        notification::Notification,
    },
};

/// Rewards the invitation of a consumer for their first paid order, and revokes the reward if that order was refunded. If
/// another order was paid, the reward moves to that order without another message. Idempotent; call it after each change of the
/// consumer's orders and after their registration.
pub(super) async fn settle_invitation(
    conn: &mut PgConnection,
    rules: Rules,
    friend_id: ConsumerId,
    now: Timestamp,
) -> Result<(), InternalError> {
    let Some(invitation) = invitations::lock(conn, friend_id).await? else {
        return Ok(());
    };
    let rewarded_order = invitation.order_id;
    if let Some(order_id) = rewarded_order {
        if order_points::is_paid(conn, order_id).await? {
            return Ok(());
        }
        revoke(conn, &invitation, order_id, now).await?;
    }
    if let Some(order_id) = order_points::find_first_paid(conn, friend_id).await? {
        let recipients = reward(conn, rules, &invitation, order_id, now).await?;
        if rewarded_order.is_none() {
            announce(conn, recipients, now).await?;
        }
    }
    Ok(())
}

/// Points that a consumer got.
#[derive(Debug)]
struct Award {
    consumer_id: ConsumerId,
    /// Identifies the posting and the message.
    reference: String,
    points: i64,
    is_friend: bool,
}

async fn reward(
    conn: &mut PgConnection,
    rules: Rules,
    invitation: &Invitation,
    order_id: OrderId,
    now: Timestamp,
) -> Result<Vec<Award>, InternalError> {
    let referrer_id = match invitation.referrer_id {
        Some(id) if consumers::ensure_active(conn, id).await?.is_some() => Some(id),
        _ => None,
    };
    let reward = InvitationReward {
        referrer_points: referrer_id.map_or(0, |_| rules.invitation_referrer_points),
        friend_points: rules.invitation_friend_points,
    };
    invitations::set_reward(conn, invitation.id, Some(order_id), reward).await?;
    let recipients = [
        (Some(invitation.friend_id), "friend", reward.friend_points),
        (referrer_id, "referrer", reward.referrer_points),
    ];
    let mut rewarded = Vec::new();
    for (recipient, role, points) in recipients {
        let Some(consumer_id) = recipient.filter(|_| points > 0) else {
            continue;
        };
        let reference = format!("invitation:{}:{order_id}:{role}", invitation.id);
        let account = accounts::open_points(conn, consumer_id, now).await?;
        post(conn, &reference, EARNED, account, points, now).await?;
        rewarded.push(Award {
            consumer_id,
            reference,
            points,
            is_friend: role == "friend",
        });
    }
    Ok(rewarded)
}

async fn announce(
    conn: &mut PgConnection,
    recipients: Vec<Award>,
    now: Timestamp,
) -> Result<(), InternalError> {
    for recipient in recipients {
        let message = NewMessage {
            consumer_id: recipient.consumer_id,
            reference: recipient.reference,
            notification: Notification::invitation_rewarded(recipient.points, recipient.is_friend),
            order_id: None,
            at: now,
            useful_until: None,
        };
        add_inbox_message(conn, message, now).await?;
    }
    Ok(())
}

/// Reverts [`reward`], even if the points were spent.
async fn revoke(
    conn: &mut PgConnection,
    invitation: &Invitation,
    order_id: OrderId,
    now: Timestamp,
) -> Result<(), InternalError> {
    let recipients = [
        (
            Some(invitation.friend_id),
            "friend",
            invitation.reward.friend_points,
        ),
        (
            invitation.referrer_id,
            "referrer",
            invitation.reward.referrer_points,
        ),
    ];
    for (recipient, role, points) in recipients {
        let Some(consumer_id) = recipient.filter(|_| points > 0) else {
            continue;
        };
        if consumers::ensure_active(conn, consumer_id).await?.is_none() {
            continue;
        }
        let reference = format!("invitation:{}:{order_id}:{role}:revoked", invitation.id);
        let account = accounts::open_points(conn, consumer_id, now).await?;
        post(conn, &reference, account, EARNED, points, now).await?;
    }
    let nothing = InvitationReward {
        referrer_points: 0,
        friend_points: 0,
    };
    Ok(invitations::set_reward(conn, invitation.id, None, nothing).await?)
}

async fn post(
    conn: &mut PgConnection,
    reference: &str,
    from: AccountId,
    to: AccountId,
    points: i64,
    at: Timestamp,
) -> Result<(), InternalError> {
    let is_reward = from == EARNED;
    let posting = Posting {
        reference,
        from,
        to,
        unit: Unit::Points,
        amount: points,
        overdraft: Overdraft::Allowed,
        kind: if is_reward {
            "invitation_rewarded"
        } else {
            "invitation_revoked"
        },
        explanation: if is_reward {
            "Invitation"
        } else {
            "Invitation: refunded order"
        },
        subject: None,
        at,
    };
    ledger::post(conn, posting).await?;
    Ok(())
}
