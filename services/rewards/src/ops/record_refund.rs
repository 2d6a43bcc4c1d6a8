use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::OrderId;

use super::{
    add_inbox_message::add_inbox_message, adjust_points::adjust_points, revoke_challenges::revoke_challenges,
    settle_invitation::settle_invitation,
};
use crate::{
    config::Rules,
    db::{consumers, order_points},
    domain::{inbox::NewMessage, notification::Notification, order::Refund},
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
    if let Some(order_id) = refund.order_id {
        revoke_points(conn, rules, &refund, order_id, now).await?;
    }
    let message = NewMessage {
        consumer_id: refund.consumer_id,
        reference: refund.reference,
        notification: Notification::refund_done(refund.amount),
        order_id: refund.order_id,
        at: refund.refunded_at,
    };
    add_inbox_message(conn, message, now).await?;
    Ok(())
}

async fn revoke_points(
    conn: &mut PgConnection,
    rules: Rules,
    refund: &Refund,
    order_id: OrderId,
    now: Timestamp,
) -> Result<(), InternalError> {
    let (consumer_id, at) = (refund.consumer_id, refund.refunded_at);
    if consumers::lock_active(conn, consumer_id).await?.is_none() || !refund.amount.is_positive() {
        return Ok(());
    }
    let totals = order_points::record_refund(conn, order_id, refund.amount).await?;
    adjust_points(conn, rules, consumer_id, totals, "Refunded order", at).await?;
    revoke_challenges(conn, consumer_id, at, now).await?;
    settle_invitation(conn, rules, consumer_id, now).await?;
    Ok(())
}
