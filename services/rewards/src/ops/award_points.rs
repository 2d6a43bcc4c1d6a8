use jiff::Timestamp;
use kit::{InternalError, outbox};
use sqlx::PgConnection;
use types::points::order_rate;

use super::{
    add_inbox_message::add_inbox_message,
    adjust_points::{Adjustment, adjust_points},
    compose_message::compose_message,
    notify_order_ready::ready_reference,
    reward_points::return_reward,
    settle_invitation::settle_invitation,
};
use crate::{
    config::Rules,
    convert,
    db::{consumers, messages, order_points},
    domain::{inbox::NewMessage, notification::Notification, order::CompletedOrder},
};

/// Awards the points for a completed order, once, publishes `PointsEarned` and notifies the consumer. Does nothing if
/// the consumer was removed.
pub(crate) async fn award_points(
    conn: &mut PgConnection,
    rules: Rules,
    order: CompletedOrder,
    now: Timestamp,
) -> Result<(), InternalError> {
    let (order_id, consumer_id, at) = (order.order_id, order.consumer_id, order.completed_at);
    if consumers::lock_active(conn, consumer_id).await?.is_none() {
        return Ok(());
    }
    let rate = order_rate(rules.points_per_dollar, order.is_in_app);
    let totals = order_points::record_completion(conn, &order, rate).await?;
    if totals.returns_reward() {
        return_reward(conn, order_id, now).await?;
    }
    settle_invitation(conn, rules, consumer_id, now).await?;
    let title = match order.store_name.as_str() {
        "" => "Your order".to_owned(),
        store => format!("Order at {store}"),
    };
    let adjustment = adjust_points(conn, consumer_id, totals, &title, at).await?;
    let Some(Adjustment { points, after }) = adjustment else {
        return Ok(());
    };
    let entry = convert::event::points_earned(&order, points, after, now);
    outbox::append(conn, entry).await?;
    let message = NewMessage {
        consumer_id,
        reference: ready_reference(order_id),
        notification: Notification::points_earned(&order, points, after.balance),
        order_id: Some(order_id),
        at,
        useful_until: None,
    };
    let text = compose_message(conn, &message.notification.text).await?;
    // Otherwise every order would leave two messages.
    if !messages::replace(conn, &message, &text).await? {
        add_inbox_message(conn, message, now).await?;
    }
    Ok(())
}
