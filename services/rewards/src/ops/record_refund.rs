use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;

use super::{
    add_inbox_message::add_inbox_message, adjust_points::adjust_points, revoke_challenges::revoke_challenges,
    reward_points::return_reward, settle_invitation::settle_invitation,
};
use crate::{
    config::Rules,
    db::{consumers, order_points},
    domain::{
        inbox::NewMessage,
        notification::Notification,
        order::{Refund, RefundedOrder},
    },
};

/// Revokes the points for the refunded amount, even if they were spent, and notifies the consumer. Does nothing if the
/// consumer was removed.
#[tracing::instrument(skip_all, fields(order_id = refund.order_id.map(tracing::field::display)))]
pub(crate) async fn record_refund(
    conn: &mut PgConnection,
    rules: Rules,
    refund: Refund,
    now: Timestamp,
) -> Result<(), InternalError> {
    let mut revoked_points = 0;
    if let Some(order_id) = refund.order_id {
        let refunded = RefundedOrder {
            order_id,
            refund_id: refund.refund_id.clone(),
            consumer_id: refund.consumer_id,
            amount: refund.amount,
            refunded_at: refund.refunded_at,
        };
        revoked_points = revoke_points(conn, rules, &refunded, now).await?;
    }
    let message = NewMessage {
        consumer_id: refund.consumer_id,
        reference: refund.reference,
        notification: Notification::refund_done(refund.amount, &refund.destination, revoked_points),
        order_id: refund.order_id,
        at: refund.refunded_at,
        useful_until: None,
    };
    add_inbox_message(conn, message, now).await?;
    Ok(())
}

/// Revokes the points of an order for a refunded amount, once for each refund, even if they were spent. Gives back the points
/// of its reward if all of it is refunded, unless its payment was lost before. Returns how many points it revoked.
pub(crate) async fn revoke_points(
    conn: &mut PgConnection,
    rules: Rules,
    refund: &RefundedOrder,
    now: Timestamp,
) -> Result<i64, InternalError> {
    let (consumer_id, order_id, at) = (refund.consumer_id, refund.order_id, refund.refunded_at);
    if consumers::lock_active(conn, consumer_id).await?.is_none() || !refund.amount.is_positive() {
        return Ok(0);
    }
    let totals = order_points::record_refund(conn, order_id, &refund.refund_id, refund.amount).await?;
    let Some(totals) = totals else {
        return Ok(0);
    };
    if totals.returns_reward() {
        return_reward(conn, order_id, now).await?;
    }
    let adjustment = adjust_points(conn, consumer_id, totals, "Refunded order", at).await?;
    revoke_challenges(conn, consumer_id, at, now).await?;
    settle_invitation(conn, rules, consumer_id, now).await?;
    Ok(adjustment.map_or(0, |adjustment| -adjustment.points))
}
