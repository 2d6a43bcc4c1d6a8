use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;

use super::{
    add_inbox_message::add_inbox_message, adjust_points::adjust_points, revoke_challenges::revoke_challenges,
    settle_invitation::settle_invitation,
};
use crate::{
    config::Rules,
    db::{consumers, order_points},
    domain::{inbox::NewMessage, notification::Notification, order::UnpaidOrder},
};

/// Revokes the points of a prepared order that is unpaid, even if they were spent. A later completion awards no points.
/// Notifies the consumer once. Does nothing if the consumer was removed.
pub(crate) async fn record_payment_failure(
    conn: &mut PgConnection,
    rules: Rules,
    order: UnpaidOrder,
    now: Timestamp,
) -> Result<(), InternalError> {
    let (order_id, consumer_id, at) = (order.order_id, order.consumer_id, order.failed_at);
    if consumers::lock_active(conn, consumer_id).await?.is_none() {
        return Ok(());
    }
    let totals = order_points::record_unpaid(conn, order_id).await?;
    adjust_points(conn, consumer_id, totals, "Unpaid order", at).await?;
    revoke_challenges(conn, consumer_id, at, now).await?;
    settle_invitation(conn, rules, consumer_id, now).await?;
    let message = NewMessage {
        consumer_id,
        reference: format!("order:{order_id}:payment_failed"),
        notification: Notification::payment_failed(&order),
        order_id: Some(order_id),
        at,
        useful_until: None,
    };
    add_inbox_message(conn, message, now).await?;
    Ok(())
}
